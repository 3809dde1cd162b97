import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallFailure, denialOf } from './failures.ts';
import { readVerdict } from './review-response.ts';

const expected = { uid: 'u', version: 'admission.k8s.io/v1', mutating: true } as const;
const review = (response: object, rest: object = {}) =>
  ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u', allowed: true, ...response },
    ...rest,
  }) as never;
const fault = (
  answer: unknown,
  how: Partial<typeof expected> | { mutating: boolean } | { version: string } = {},
): string => {
  try {
    readVerdict(answer as never, { ...expected, ...how } as never);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an answer', () => {
  it.each([
    [review({}), ''],
    [review({ uid: 'other' }), 'received invalid webhook response: expected response.uid="u", got "other"'],
    [
      review({}, { kind: undefined }),
      'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=',
    ],
    [{}, 'received invalid webhook response: webhook response was absent'],
    [null, 'received invalid webhook response: webhook response was absent'],
    [
      review({ allowed: 1 }),
      'failed to call webhook: json: cannot unmarshal number into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    [
      review({ warnings: ['a', 1] }),
      'failed to call webhook: json: cannot unmarshal number into Go struct field AdmissionResponse.response.warnings of type string',
    ],
    [
      review({ status: { code: 'x' } }),
      'failed to call webhook: json: cannot unmarshal string into Go struct field Status.response.status.code of type int32',
    ],
    [review({ patch: '*' }), 'failed to call webhook: illegal base64 data at input byte 0'],
    [
      review({ patch: 'W10=' }),
      'received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
    [
      { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'gone' },
      'failed to call webhook: gone',
    ],
  ])('%j', (answer, message) => {
    expect(fault(answer)).toBe(message);
  });

  it('of v1beta1 needs no uid and no patchType', () => {
    const beta = { apiVersion: 'admission.k8s.io/v1beta1', response: { allowed: true, patch: 'W10=' } };
    const verdict = readVerdict(beta, { ...expected, version: 'admission.k8s.io/v1beta1' });
    expect(verdict).toMatchObject({ allowed: true, patch: '[]', patchType: 'JSONPatch' });
    expect(fault(review({}), { version: 'admission.k8s.io/v1beta1' })).toContain('unknown conversion');
  });

  it('of a validating webhook must not have a patch', () => {
    expect(fault(review({ patch: 'W10=', patchType: 'JSONPatch' }), { mutating: false })).toContain(
      'may not return response.patch',
    );
    expect(fault(review({ patchType: 'JSONPatch' }), { mutating: false })).toContain(
      'may not return response.patchType',
    );
  });
});

it('is a verdict or a failed call, whatever a webhook answers', () => {
  const response = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        uid: fc.constantFrom('u', 'v', 1),
        allowed: fc.jsonValue(),
        status: fc.jsonValue(),
        patch: fc.oneof(fc.base64String(), fc.jsonValue()),
        patchType: fc.constantFrom('JSONPatch', '', null, 3),
        warnings: fc.jsonValue(),
        auditAnnotations: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        apiVersion: fc.constantFrom('admission.k8s.io/v1', 'v1', 2),
        kind: fc.constantFrom('AdmissionReview', 'Status', null),
        response,
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(answer, fc.boolean(), (given, mutating) => {
      try {
        expect(typeof readVerdict(given as never, { ...expected, mutating }).allowed).toBe('boolean');
      } catch (error) {
        expect(error).toBeInstanceOf(CallFailure);
      }
    }),
  );
});

it.each([
  [undefined, 400, 'admission webhook "w" denied the request without explanation'],
  [{ message: 'why', code: 409 }, 409, 'admission webhook "w" denied the request: why'],
  [{ reason: 'NotNow', code: 200 }, 400, 'admission webhook "w" denied the request: NotNow'],
])('a denial with %j', (status, code, message) => {
  expect(denialOf('w', status as never).status).toMatchObject({ code, message, status: 'Failure' });
});
