// metav1.Condition, and its validation for the kinds whose conditions clients may set.

import { field, type GoField, int64, listOf, named, required, string, struct, time } from '@instar/kinds';
import { type FieldError, type FieldPath, fieldErrors, validateLabelName } from '@instar/machinery';

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  observedGeneration?: number;
  lastTransitionTime: string | null;
  reason: string;
  message: string;
}

const ConditionType = struct('v1.Condition', 'One thing that is known about the state of the object.', {
  type: required(1, string, 'What the condition is about.'),
  status: required(2, named('v1.ConditionStatus'), 'True, False or Unknown.'),
  observedGeneration: field(3, int64, 'The generation of the object that the condition is about.'),
  lastTransitionTime: required(4, time, 'When the status last changed.'),
  reason: required(5, string, 'A word for why the condition is as it is.'),
  message: required(6, string, 'A sentence for people.'),
});

/** The field of conditions: a list map with the key type. */
export const conditionsField = (number: number, description: string): GoField =>
  field(number, listOf(ConditionType), description, {
    listType: 'map',
    mapKeys: ['type'],
    patch: { strategy: 'merge', key: 'type' },
  });

const STATUSES = ['False', 'True', 'Unknown'];
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_RULE = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;

export function validateConditions(conditions: readonly Condition[], path: FieldPath): FieldError[] {
  return conditions.flatMap((condition, index) => {
    const first = conditions.findIndex(({ type }) => type === condition.type);
    const at = path.index(index);
    return [
      ...(first < index ? [fieldErrors.duplicate(at, condition.type)] : []),
      ...validateCondition(condition, at),
    ];
  });
}

function validateCondition(
  { type, status, observedGeneration = 0, ...rest }: Condition,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldErrors.required(path.child('type'), 'is required'));
  else errors.push(...validateLabelName(type, path.child('type')));
  if ((status as string) === '') errors.push(fieldErrors.required(path.child('status'), ''));
  else if (!STATUSES.includes(status))
    errors.push(fieldErrors.notSupported(path.child('status'), status, STATUSES));
  if (observedGeneration < 0) {
    errors.push(
      fieldErrors.invalid(
        path.child('observedGeneration'),
        observedGeneration,
        'must be greater than or equal to zero',
      ),
    );
  }
  if (!rest.lastTransitionTime) errors.push(fieldErrors.required(path.child('lastTransitionTime'), ''));
  return [...errors, ...validateWords(rest, path)];
}

function validateWords(
  { reason, message }: Pick<Condition, 'reason' | 'message'>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (reason === '') errors.push(fieldErrors.required(path.child('reason'), ''));
  else if (!new RegExp(`^${REASON}$`).test(reason))
    errors.push(fieldErrors.invalid(path.child('reason'), reason, REASON_RULE));
  if (reason.length > MAX_REASON) errors.push(fieldErrors.tooLong(path.child('reason'), MAX_REASON));
  if (message.length > MAX_MESSAGE) errors.push(fieldErrors.tooLong(path.child('message'), MAX_MESSAGE));
  return errors;
}
