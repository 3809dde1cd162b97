import { describe, expect, it } from 'vitest';
import { apiErrors } from '../api-error.ts';
import { fieldErrorMessage, fieldErrors } from './error.ts';
import { FieldPath } from './path.ts';

describe('FieldPath', () => {
  it('prints as Kubernetes prints it', () => {
    expect(String(FieldPath.of('spec', 'containers').index(0).child('env').key('a.b/c'))).toBe(
      'spec.containers[0].env[a.b/c]',
    );
    expect(String(FieldPath.root.child('spec'))).toBe('spec');
    expect(String(FieldPath.root)).toBe('');
  });
});

describe('fieldErrors', () => {
  const path = FieldPath.of('spec', 'x');

  it.each([
    [fieldErrors.invalid(path, 'a"b', 'must be c'), 'spec.x: Invalid value: "a\\"b": must be c'],
    [fieldErrors.invalid(path, null, 'no'), 'spec.x: Invalid value: null: no'],
    [fieldErrors.invalid(path, 1234567.5, 'no'), 'spec.x: Invalid value: 1.2345675e+06: no'],
    [fieldErrors.invalid(path, 1_000_000, 'no'), 'spec.x: Invalid value: 1000000: no'],
    [fieldErrors.invalid(path, 2n ** 60n, 'no'), 'spec.x: Invalid value: 1152921504606846976: no'],
    [
      fieldErrors.invalid(path, { b: '<', a: [1.5] }, 'no'),
      'spec.x: Invalid value: {"a":[1.5],"b":"\\u003c"}: no',
    ],
    [fieldErrors.required(path), 'spec.x: Required value'],
    [fieldErrors.forbidden(path, 'no'), 'spec.x: Forbidden: no'],
    [fieldErrors.duplicate(path, 'a'), 'spec.x: Duplicate value: "a"'],
    [
      fieldErrors.notSupported(path, 'a', ['b', 'c']),
      'spec.x: Unsupported value: "a": supported values: "b", "c"',
    ],
    [fieldErrors.tooLong(path, 1), 'spec.x: Too long: may not be more than 1 byte'],
    [fieldErrors.tooMany(path, 3, 2), 'spec.x: Too many: 3: must have at most 2 items'],
    [fieldErrors.internal(path, 'oops'), 'spec.x: Internal error: oops'],
    [fieldErrors.invalid('', 'x', 'no'), '<nil>: Invalid value: "x": no'],
  ])('prints as upstream prints it, case %#', (error, message) => {
    expect(fieldErrorMessage(error)).toBe(message);
  });
});

describe('apiErrors', () => {
  it('lists every cause but repeats no message', () => {
    const error = fieldErrors.required('spec.x');
    const { status } = apiErrors.invalid({ group: 'g', kind: 'K' }, 'n', [
      error,
      error,
      fieldErrors.forbidden('spec.y', 'no'),
    ]);
    expect(status.message).toBe('K.g "n" is invalid: [spec.x: Required value, spec.y: Forbidden: no]');
    expect(status.details?.causes).toHaveLength(3);
    expect(status.code).toBe(422);
  });
});
