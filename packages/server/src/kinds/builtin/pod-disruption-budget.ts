// policy/v1 PodDisruptionBudget: how many pods may be evicted at the same time.

import { nameIsPathSegment } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type KubeObject,
  type LabelSelectorObject,
  validateLabelSelectorObject,
  validateObjectMeta,
} from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { type Condition, validateConditions } from '../typed/condition.ts';
import { validateAtMost100Percent, validateIntOrPercent, validateNonnegative } from '../validate/amounts.ts';
import { withGoFields } from '../validate/go-text.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

interface PodDisruptionBudget extends KubeObject {
  spec: {
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    selector?: LabelSelectorObject;
    unhealthyPodEvictionPolicy?: string;
  };
  status: {
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    expectedPods: number;
    conditions?: Condition[];
  };
}

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const EVICTION_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

function validateBudget({ spec }: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const rule = 'minAvailable and maxUnavailable cannot be both set';
    errors.push(
      withGoFields(fieldErrors.invalid(SPEC, {}, rule), [
        ['MinAvailable', minAvailable],
        ['Selector', selector],
        ['MaxUnavailable', maxUnavailable],
        ['UnhealthyPodEvictionPolicy', policy],
      ]),
    );
  }
  for (const name of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[name];
    if (value === undefined) continue;
    errors.push(...validateIntOrPercent(value, SPEC.child(name)));
    errors.push(...validateAtMost100Percent(value, SPEC.child(name)));
  }
  errors.push(...validateLabelSelectorObject(selector, SPEC.child('selector')));
  if (policy !== undefined && !EVICTION_POLICIES.includes(policy)) {
    const at = SPEC.child('unhealthyPodEvictionPolicy');
    errors.push(fieldErrors.notSupported(at, policy, EVICTION_POLICIES));
  }
  return errors;
}

function validateStatus({ status }: PodDisruptionBudget): FieldError[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
  return [
    ...validateConditions(status.conditions ?? [], STATUS.child('conditions')),
    ...counts.flatMap((name) => validateNonnegative(status[name], STATUS.child(name))),
  ];
}

const amountCell = (name: 'minAvailable' | 'maxUnavailable') => (budget: unknown) =>
  String((budget as PodDisruptionBudget).spec[name] ?? 'N/A');

export const podDisruptionBudgets = defineKind({
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  shortNames: ['pdb'],
  namespaced: true,
  storagePath: 'poddisruptionbudgets/',
  versions: [
    {
      group: 'policy',
      version: 'v1',
      type: goStruct('policy/v1.PodDisruptionBudget'),
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Min Available', 'The fewest pods that must be available.', amountCell('minAvailable')),
        column('Max Unavailable', 'The most pods that may be unavailable.', amountCell('maxUnavailable')),
        column(
          'Allowed Disruptions',
          'How many pods may be evicted now.',
          (budget) => (budget as unknown as PodDisruptionBudget).status.disruptionsAllowed,
          { type: 'integer' },
        ),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus(),
    validateCreate(budget) {
      const errors = validateBudget(budget as PodDisruptionBudget);
      // Upstream has no rules of its own for the metadata of this kind: those of all kinds come last.
      return errors.length > 0 ? errors : validateObjectMeta(budget.metadata, true, nameIsPathSegment);
    },
    validateUpdate: (budget, _old, { subresource }) =>
      subresource === 'status'
        ? validateStatus(budget as PodDisruptionBudget)
        : validateBudget(budget as PodDisruptionBudget),
    allowUnconditionalUpdate: false,
  },
  ownMetadataValidation: true,
});
