// Validation of priority levels.
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonObject,
  type KubeObject,
} from '@instar/machinery';
import { mandatoryPriorityLevel } from './flow-control-defaults.ts';

interface Queuing {
  queues: number;
  handSize: number;
  queueLengthLimit: number;
}

interface Limited {
  nominalConcurrencyShares: number;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
  limitResponse: { type: string; queuing?: Queuing };
}

export interface PriorityLevel extends KubeObject {
  spec: {
    type: string;
    limited?: Limited;
    exempt?: { nominalConcurrencyShares?: number; lendablePercent?: number };
  };
  status: { conditions?: { type?: string }[] };
}

const SPEC = FieldPath.of('spec');
const MAX_QUEUES = 10_000_000;
const MAX_ENTROPY_BITS = 60;

export function validatePriorityLevel(level: PriorityLevel): FieldError[] {
  const { metadata, spec } = level;
  const errors =
    (metadata.name === 'exempt') === (spec.type === 'Exempt')
      ? []
      : [
          fieldErrors.invalid(
            SPEC.child('type'),
            spec.type,
            "must be 'Exempt' if and only if `name` is 'exempt'",
          ),
        ];
  return [...errors, ...validateSpec(spec), ...validateFixed(level)];
}

function validateSpec({ type, limited, exempt }: PriorityLevel['spec']): FieldError[] {
  if (type === 'Exempt')
    return [
      ...(limited === undefined
        ? []
        : [fieldErrors.forbidden(SPEC.child('limited'), 'must be nil if the type is not Limited')]),
      ...validateShares(exempt ?? {}, SPEC.child('exempt')),
      ...validateLendable(exempt ?? {}, SPEC.child('exempt')),
    ];
  if (type === 'Limited')
    return [
      ...(exempt === undefined
        ? []
        : [fieldErrors.forbidden(SPEC.child('exempt'), 'must be nil if the type is Limited')]),
      ...(limited === undefined
        ? [fieldErrors.required(SPEC.child('limited'), 'must not be empty when type is Limited')]
        : validateLimited(limited, SPEC.child('limited'))),
    ];
  return type === ''
    ? [fieldErrors.required(SPEC.child('type'))]
    : [fieldErrors.notSupported(SPEC.child('type'), type, ['Exempt', 'Limited'])];
}

function validateShares({ nominalConcurrencyShares: shares = 0 }: Partial<Limited>, path: FieldPath) {
  return shares < 0
    ? [fieldErrors.invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer')]
    : [];
}

function validateLendable({ lendablePercent: percent = 0 }: Partial<Limited>, path: FieldPath): FieldError[] {
  return percent < 0 || percent > 100
    ? [fieldErrors.invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive')]
    : [];
}

function validateLimited(limited: Limited, path: FieldPath): FieldError[] {
  const { borrowingLimitPercent: borrowing = 0 } = limited;
  return [
    ...validateShares(limited, path),
    ...validateResponse(limited.limitResponse, path.child('limitResponse')),
    ...validateLendable(limited, path),
    ...(borrowing < 0
      ? [
          fieldErrors.invalid(
            path.child('borrowingLimitPercent'),
            borrowing,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ];
}

function validateResponse({ type, queuing }: Limited['limitResponse'], path: FieldPath): FieldError[] {
  const at = path.child('queuing');
  switch (type) {
    case 'Reject':
      return queuing === undefined
        ? []
        : [fieldErrors.forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')];
    case 'Queue':
      return queuing === undefined
        ? [fieldErrors.required(at, 'must not be empty if limited.limitResponse.type is Limited')]
        : validateQueuing(queuing, at);
    case '':
      return [fieldErrors.required(path.child('type'))];
    default:
      return [fieldErrors.notSupported(path.child('type'), type, ['Queue', 'Reject'])];
  }
}

function validateQueuing(
  { queues, handSize, queueLengthLimit: length }: Queuing,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const positive = 'must be positive';
  if (length <= 0) errors.push(fieldErrors.invalid(path.child('queueLengthLimit'), length, positive));
  if (queues <= 0) errors.push(fieldErrors.invalid(path.child('queues'), queues, positive));
  else if (queues > MAX_QUEUES)
    errors.push(fieldErrors.invalid(path.child('queues'), queues, `must not be greater than ${MAX_QUEUES}`));
  const at = path.child('handSize');
  if (handSize <= 0) errors.push(fieldErrors.invalid(at, handSize, positive));
  else if (handSize > queues)
    errors.push(fieldErrors.invalid(at, handSize, `should not be greater than queues (${queues})`));
  else if (entropyBits(queues, handSize) > MAX_ENTROPY_BITS)
    errors.push(
      fieldErrors.invalid(
        at,
        handSize,
        `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_ENTROPY_BITS}`,
      ),
    );
  return errors;
}

/** How many bits it takes to deal a hand out of a deck. Hands beyond the limit are not dealt to the end. */
function entropyBits(deck: number, hand: number): number {
  let bits = 0;
  for (let dealt = 0; dealt < hand && bits <= MAX_ENTROPY_BITS; dealt++) bits += Math.log2(deck - dealt);
  return Math.ceil(bits);
}

/** Of the level that is exempt, the share may change. */
function validateFixed({ metadata, spec }: PriorityLevel): FieldError[] {
  const name = metadata.name ?? '';
  const fixed = mandatoryPriorityLevel(name);
  if (fixed === undefined) return [];
  const have = { ...spec, ...(name === 'exempt' && { exempt: fixed['exempt'] }) } as unknown as JsonObject;
  const except = name === 'exempt' ? " except the 'spec.exempt' field" : '';
  return deepEqual(have, fixed)
    ? []
    : [
        fieldErrors.invalid(
          SPEC,
          spec as unknown as JsonObject,
          `spec of '${name}'${except} must equal the fixed value`,
        ),
      ];
}
