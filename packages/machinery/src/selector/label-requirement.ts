// One requirement of a label selector: its validation, in upstream's words, and its compilation.

import { validateLabelValue, validateQualifiedName } from '@instar/go';
import { type FieldError, fieldErrors } from '../field/error.ts';
import { FieldPath } from '../field/path.ts';

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

export type Labels = Readonly<Record<string, string>>;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without repetitions. */
  readonly values: readonly string[];
}

const OPERATORS: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'];

export function labelKeyFaults(key: string, path: FieldPath): FieldError[] {
  const faults = validateQualifiedName(key);
  return faults.length === 0 ? [] : [fieldErrors.invalid(path, key, faults.join('; '))];
}

/** Empty if the requirement is valid. */
export function validateLabelRequirement(
  { key, operator, values }: LabelRequirement,
  path = FieldPath.root,
): FieldError[] {
  const at = path.child('values');
  return [
    ...labelKeyFaults(key, path.child('key')),
    ...validateOperator(operator, values, at, path),
    ...values.flatMap((value, index) => {
      const faults = validateLabelValue(value);
      return faults.length === 0
        ? []
        : [fieldErrors.invalid(at.index(index).key(key), value, faults.join('; '))];
    }),
  ];
}

/** The usual `key=value` with a valid key: nothing to object to, which is found out faster this way. */
export const isPlainRequirement = ({ operator, values: [value, ...others] }: LabelRequirement): boolean =>
  (operator === '=' || operator === '==' || operator === '!=') &&
  value !== undefined &&
  others.length === 0 &&
  validateLabelValue(value).length === 0;

function validateOperator(
  operator: LabelOperator,
  values: readonly string[],
  at: FieldPath,
  path: FieldPath,
): FieldError[] {
  const refuse = (detail: string) => [fieldErrors.invalid(at, [...values], detail)];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? refuse("for 'in', 'notin' operators, values set can't be empty") : [];
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : refuse('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return values.length === 0 ? [] : refuse('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1 ? [] : refuse("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...values.flatMap((value, index) =>
          parseInt64(value) === undefined
            ? [
                fieldErrors.invalid(
                  at.index(index),
                  value,
                  "for 'Gt', 'Lt' operators, the value must be an integer",
                ),
              ]
            : [],
        ),
      ];
    default:
      return [fieldErrors.notSupported(path.child('operator'), operator, OPERATORS)];
  }
}

/** Go's strconv.ParseInt(text, 10, 64). */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined;
}

export function printLabelRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    default:
      return `${key}${operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator}${values.join(',')}`;
  }
}
