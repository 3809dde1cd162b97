// scheduling.k8s.io/v1 PriorityClass: a name for the priority of pods.

import { goStruct } from '@instar/kinds';
import { apiErrors, type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt } from '../table/values.ts';
import { validateOneOf, validateUnchanged } from '../validate/checks.ts';

interface PriorityClass extends KubeObject {
  value: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

const MAX_USER_PRIORITY = 1_000_000_000;
const SYSTEM_CRITICAL = 2 * MAX_USER_PRIORITY;
const SYSTEM_PREFIX = 'system-';

/** The classes that every server has, for pods without which a cluster does not work. */
export const SYSTEM_PRIORITY_CLASSES = [
  {
    name: 'system-node-critical',
    value: SYSTEM_CRITICAL + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: SYSTEM_CRITICAL,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
] as const;

function validatePriorityClass({ metadata, value, globalDefault, preemptionPolicy }: PriorityClass) {
  return [
    ...validatePriority(metadata.name ?? '', value, globalDefault === true),
    ...validateOneOf(preemptionPolicy, ['PreemptLowerPriority', 'Never'], FieldPath.of('preemptionPolicy')),
  ];
}

function validatePriority(name: string, value: number, isDefault: boolean): FieldError[] {
  if (!name.startsWith(SYSTEM_PREFIX))
    return value > MAX_USER_PRIORITY
      ? [
          fieldErrors.forbidden(
            'value',
            `maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`,
          ),
        ]
      : [];
  const known = SYSTEM_PRIORITY_CLASSES.find((one) => one.name === name);
  const refuse = (reason: string): FieldError[] => [
    fieldErrors.forbidden(
      'metadata.name',
      `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${reason}`,
    ),
  ];
  if (known === undefined) return refuse(`${name} is not a known system priority class`);
  if (known.value !== value) return refuse(`value of ${name} PriorityClass must be ${known.value}`);
  return isDefault ? refuse(`globalDefault of ${name} PriorityClass must be false`) : [];
}

const validateUpdate = (next: PriorityClass, old: PriorityClass): FieldError[] => [
  ...(next.value === old.value ? [] : [fieldErrors.forbidden('value', 'may not be changed in an update.')]),
  ...validateUnchanged(next.preemptionPolicy, old.preemptionPolicy, FieldPath.of('preemptionPolicy')),
];

function checkDelete({ metadata }: KubeObject): void {
  if (!SYSTEM_PRIORITY_CLASSES.some(({ name }) => name === metadata.name)) return;
  const what = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
  const why = 'this is a system priority class and cannot be deleted';
  throw apiErrors.forbidden(what, metadata.name!, why);
}

export const priorityClasses = defineKind({
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  shortNames: ['pc'],
  namespaced: false,
  storagePath: 'priorityclasses/',
  versions: [
    {
      group: 'scheduling.k8s.io',
      version: 'v1',
      type: goStruct('scheduling/v1.PriorityClass'),
      fillIn: (object) => {
        object['preemptionPolicy'] ??= 'PreemptLowerPriority';
      },
      columns: [
        nameColumn,
        column('Value', 'The priority.', ({ value }) => value ?? 0, { type: 'integer' }),
        column(
          'Global-Default',
          'Whether pods without a class have it.',
          (it) => it['globalDefault'] ?? false,
          {
            type: 'boolean',
          },
        ),
        ageColumn,
        column('PreemptionPolicy', 'Whether its pods displace others.', (it) =>
          textAt(it, ['preemptionPolicy']),
        ),
      ],
    },
  ],
  strategy: {
    prepareForCreate: ({ metadata }) => {
      metadata.generation = 1;
    },
    validateCreate: (it) => validatePriorityClass(it as PriorityClass),
    validateUpdate: (it, old) => validateUpdate(it as PriorityClass, old as PriorityClass),
    checkDelete,
  },
});
