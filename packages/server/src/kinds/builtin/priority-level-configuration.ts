// flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration: how much of the server a level may use.

import { goStruct } from '@instar/kinds';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import { validateFlowConditions } from '../validate/flow-schema.ts';
import { type PriorityLevel, validatePriorityLevel } from '../validate/priority-level.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

const DEFAULT_SHARES = 30;
const DEFAULT_QUEUES = { handSize: 8, queues: 64, queueLengthLimit: 50 };

function fillIn(object: JsonObject): void {
  const exempt = valueAt(object, 'spec', 'exempt');
  if (isJsonObject(exempt)) {
    exempt['nominalConcurrencyShares'] ??= 0;
    exempt['lendablePercent'] ??= 0;
  }
  const limited = valueAt(object, 'spec', 'limited');
  if (!isJsonObject(limited)) return;
  limited['nominalConcurrencyShares'] ??= DEFAULT_SHARES;
  limited['lendablePercent'] ??= 0;
  const queuing = valueAt(limited, 'limitResponse', 'queuing');
  if (!isJsonObject(queuing)) return;
  for (const [name, value] of Object.entries(DEFAULT_QUEUES))
    if ((queuing[name] ?? 0) === 0) queuing[name] = value;
}

const limitedCell =
  (...path: string[]) =>
  (it: JsonObject): JsonValue =>
    valueAt(it, 'spec', 'limited', ...path) ?? '<none>';

export const priorityLevelConfigurations = defineKind({
  plural: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  namespaced: false,
  storagePath: 'prioritylevelconfigurations/',
  versions: [
    {
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1',
      type: goStruct('flowcontrol/v1.PriorityLevelConfiguration'),
      fillIn,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Type', 'Limited or Exempt.', (it) => textAt(it, ['spec', 'type'])),
        column('NominalConcurrencyShares', 'Its share.', limitedCell('nominalConcurrencyShares')),
        column('Queues', 'How many queues it has.', limitedCell('limitResponse', 'queuing', 'queues')),
        column(
          'HandSize',
          'How many queues a flow uses.',
          limitedCell('limitResponse', 'queuing', 'handSize'),
        ),
        column(
          'QueueLengthLimit',
          'How long a queue may be.',
          limitedCell('limitResponse', 'queuing', 'queueLengthLimit'),
        ),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus(),
    validateCreate: (level) => validatePriorityLevel(level as PriorityLevel),
    validateUpdate: (level, _old, { subresource }) =>
      subresource === 'status'
        ? validateFlowConditions((level as PriorityLevel).status)
        : validatePriorityLevel(level as PriorityLevel),
  },
});
