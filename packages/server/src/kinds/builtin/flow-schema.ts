// flowcontrol.apiserver.k8s.io/v1 FlowSchema: which requests have which priority level.

import { goStruct } from '@instar/kinds';
import { deepEqual, type FieldError, fieldErrors, type JsonObject, type JsonValue } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { objectsAt, textAt, valueAt } from '../table/values.ts';
import { mandatoryFlowSchema } from '../validate/flow-control-defaults.ts';
import { type FlowSchema, validateFlowConditions, validateFlowSchema } from '../validate/flow-schema.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

const DEFAULT_PRECEDENCE = 1000;

function fillIn(object: JsonObject): void {
  const spec = object['spec'] as JsonObject;
  if ((spec['matchingPrecedence'] ?? 0) === 0) spec['matchingPrecedence'] = DEFAULT_PRECEDENCE;
}

function validate(schema: FlowSchema): FieldError[] {
  const fixed = mandatoryFlowSchema(schema.metadata.name ?? '');
  const spec = schema.spec as unknown as JsonValue;
  return [
    ...validateFlowSchema(schema),
    ...(fixed === undefined || deepEqual(spec, fixed)
      ? []
      : [fieldErrors.invalid('spec', spec, `spec of '${schema.metadata.name}' must equal the fixed value`)]),
  ];
}

/** What the controller of upstream says of the level, once it has looked. */
const danglingCell = (it: JsonObject): string =>
  String(objectsAt(it, 'status', 'conditions').find(({ type }) => type === 'Dangling')?.['status'] ?? '?');

export const flowSchemas = defineKind({
  plural: 'flowschemas',
  kind: 'FlowSchema',
  namespaced: false,
  storagePath: 'flowschemas/',
  versions: [
    {
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1',
      type: goStruct('flowcontrol/v1.FlowSchema'),
      fillIn,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('PriorityLevel', 'The level of its requests.', (it) =>
          textAt(it, ['spec', 'priorityLevelConfiguration', 'name']),
        ),
        column(
          'MatchingPrecedence',
          'Which schema is asked first: that with the least.',
          (it) => valueAt(it, 'spec', 'matchingPrecedence') ?? 0,
        ),
        column('DistinguisherMethod', 'How its requests are told apart.', (it) =>
          textAt(it, ['spec', 'distinguisherMethod', 'type'], '<none>'),
        ),
        ageColumn,
        column('MissingPL', 'Whether the level is missing.', danglingCell),
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus(),
    validateCreate: (schema) => validate(schema as FlowSchema),
    validateUpdate: (schema, _old, { subresource }) =>
      subresource === 'status'
        ? validateFlowConditions((schema as FlowSchema).status)
        : validate(schema as FlowSchema),
  },
});
