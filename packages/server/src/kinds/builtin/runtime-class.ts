// node.k8s.io/v1 RuntimeClass: with which runtime containers are run.

import { nameIsDnsLabel } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type FieldError, FieldPath, fieldErrors, type KubeObject, validateLabels } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { invalidFor, validateUnchanged } from '../validate/checks.ts';
import { type Toleration, validateTolerations } from '../validate/node-selector.ts';
import { oldNodeLabel } from '../validate/old-node-labels.ts';
import {
  type Amounts,
  validateContainerResourceName,
  validateResourceAmount,
} from '../validate/quantities.ts';

interface RuntimeClass extends KubeObject {
  handler: string;
  overhead?: { podFixed?: Amounts };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

const HANDLER = FieldPath.of('handler');
const SCHEDULING = FieldPath.of('scheduling');

function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  return [
    ...(handler === ''
      ? [fieldErrors.required(HANDLER)]
      : invalidFor(HANDLER, handler, nameIsDnsLabel(handler, false))),
    ...Object.entries(overhead?.podFixed ?? {}).flatMap(([name, amount]) => {
      const path = FieldPath.of('overhead', 'limits').key(name);
      return [...validateContainerResourceName(name, path), ...validateResourceAmount(name, amount, path)];
    }),
    ...(scheduling === undefined ? [] : validateScheduling(scheduling)),
  ];
}

function validateScheduling({ nodeSelector, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>) {
  const path = SCHEDULING.child('tolerations');
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, SCHEDULING.child('nodeSelector')),
    ...validateTolerations(tolerations, path),
    ...tolerations.flatMap(({ key = '', operator = '', value = '', effect = '', ...rest }, index) => {
      const identity = JSON.stringify([key, operator, value, effect]);
      const isKnown = seen.has(identity);
      seen.add(identity);
      const shown = {
        Key: key,
        Operator: operator,
        Value: value,
        Effect: effect,
        TolerationSeconds: rest.tolerationSeconds ?? null,
      };
      return isKnown ? [fieldErrors.duplicate(path.index(index), shown)] : [];
    }),
  ];
}

const warningsOf = ({ scheduling }: RuntimeClass): string[] =>
  Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) =>
    oldNodeLabel(key).map((remedy) => `scheduling.nodeSelector: ${remedy}`),
  );

export const runtimeClasses = defineKind({
  plural: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
  storagePath: 'runtimeclasses/',
  versions: [
    {
      group: 'node.k8s.io',
      version: 'v1',
      type: goStruct('node/v1.RuntimeClass'),
      columns: [nameColumn, column('Handler', 'The runtime.', ({ handler }) => handler ?? ''), ageColumn],
    },
  ],
  strategy: {
    validateCreate: (it) => validateRuntimeClass(it as RuntimeClass),
    validateUpdate: (it, old) => [
      ...validateRuntimeClass(it as RuntimeClass),
      ...validateUnchanged((it as RuntimeClass).handler, (old as RuntimeClass).handler, HANDLER),
    ],
    warnings: (it) => warningsOf(it as RuntimeClass),
    allowUnconditionalUpdate: false,
  },
});
