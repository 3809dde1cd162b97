import { apiErrors, applyJsonPatch, type JsonObject, type JsonPatchOperation } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { answerReview } from '../answer-review.ts';
import { recordedReviews } from '../testing/recorded-reviews.ts';
import { admissionReview, cronTab } from '../testing/reviews.ts';
import { admission } from './admission.ts';
import type { AdmissionFunction } from './request.ts';
import { type AdmissionVerdict, allow, deny, patch } from './verdict.ts';

const object = cronTab('v1', 'a', { replicas: 1 });
const ask = (decide: AdmissionFunction, request: object = { object }, version: 'v1' | 'v1beta1' = 'v1') =>
  answerReview(admission(decide), admissionReview(request, version));
const patchIn = (body: JsonObject): JsonPatchOperation[] => {
  const { patchType, patch: encoded } = body['response'] as { patchType: string; patch: string };
  expect(patchType).toBe('JSONPatch');
  return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
};

describe('verdicts', () => {
  it.each(['v1', 'v1beta1'] as const)('are answered in the version of the review: %s', async (version) => {
    const { status, body } = await ask(() => allow(), { object }, version);
    expect([status, body]).toEqual([
      200,
      {
        kind: 'AdmissionReview',
        apiVersion: `admission.k8s.io/${version}`,
        response: { uid: 'u-1', allowed: true },
      },
    ]);
  });

  it('carry warnings and audit annotations', async () => {
    const { body, outcome } = await ask(() =>
      allow({ warnings: ['mind "this"'], auditAnnotations: { why: 'because' } }),
    );
    expect(body['response']).toEqual({
      uid: 'u-1',
      allowed: true,
      warnings: ['mind "this"'],
      auditAnnotations: { why: 'because' },
    });
    expect(outcome).toBe('allowed');
  });

  it('deny with message, code, reason and causes', async () => {
    const causes = [{ field: 'spec.x', message: 'no' }];
    const { body, outcome } = await ask(async () =>
      deny('not like this', { code: 422, reason: 'Invalid', causes }),
    );
    const status = {
      status: 'Failure',
      message: 'not like this',
      code: 422,
      reason: 'Invalid',
      details: { causes },
    };
    expect(body['response']).toEqual({ uid: 'u-1', allowed: false, status });
    expect(outcome).toBe('denied');
    expect((await ask(() => deny('no'))).body).toMatchObject({ response: { status: { code: 403 } } });
    expect((await ask(() => deny('no', 400))).body).toMatchObject({ response: { status: { code: 400 } } });
  });

  it('may be plain data', async () => {
    const verdict: AdmissionVerdict = { allowed: true, patch: [{ op: 'add', path: '/spec/x', value: 1 }] };
    const { body, outcome } = await ask(() => verdict);
    expect(patchIn(body)).toEqual(verdict.patch);
    expect(outcome).toBe('patched');
  });

  it('patch to the desired object, even if the input was changed in place', async () => {
    const change: AdmissionFunction = ({ object }) => {
      (object as { spec: JsonObject }).spec['replicas'] = 9007199254740993n;
      return patch(object!);
    };
    const { body } = await ask(change);
    expect(applyJsonPatch(object, patchIn(body))).toEqual(cronTab('v1', 'a', { replicas: 9007199254740992 }));
    const { body: unchanged, outcome } = await ask(({ object }) => patch({ ...object }));
    expect([unchanged['response'], outcome]).toEqual([{ uid: 'u-1', allowed: true }, 'allowed']);
  });
});

describe('requests', () => {
  it('have null for absent members', async () => {
    const seen: unknown[] = [];
    const see: AdmissionFunction = ({ object, oldObject, options, dryRun }) => {
      seen.push([object, oldObject, options, dryRun]);
      return allow();
    };
    await ask(see, { operation: 'DELETE' });
    expect(seen).toEqual([[null, null, null, false]]);
  });

  it('keep integers that a double cannot hold', async () => {
    let seen: unknown;
    const see: AdmissionFunction = ({ object }) => {
      seen = (object as { spec: JsonObject }).spec['big'];
      return allow();
    };
    await ask(see, { object: cronTab('v1', 'a', { big: 9223372036854775807n }) });
    expect(seen).toBe(9223372036854775807n);
  });
});

describe('functions that fail', () => {
  const broken: AdmissionFunction = () => {
    throw new Error('the database is down');
  };

  it('fail the call, so that the failurePolicy decides', async () => {
    for (const fail of [broken, async () => broken({} as never, {} as never)]) {
      const { status, body, outcome } = await ask(fail);
      expect([status, body['kind'], body['message'], outcome]).toEqual([
        500,
        'Status',
        'the admission function failed: the database is down',
        'failed',
      ]);
    }
  });

  it('deny if onError is deny', async () => {
    const { status, body, outcome } = await answerReview(
      admission(broken, { onError: 'deny' }),
      admissionReview({ object }),
    );
    expect([status, outcome]).toEqual([200, 'failed']);
    expect(body['response']).toMatchObject({
      allowed: false,
      status: { code: 500, message: 'the admission function failed: the database is down' },
    });
  });

  it('deny with the Status of an ApiError that they throw', async () => {
    const { status, body } = await ask(() => {
      throw apiErrors.badRequest('this is not how it is done');
    });
    expect([status, body['response']]).toMatchObject([
      200,
      { allowed: false, status: { code: 400, message: 'this is not how it is done' } },
    ]);
  });

  it('include functions that return something other than a verdict', async () => {
    for (const nonsense of [undefined, null, true, {}, 'yes']) {
      const { status, body } = await ask(() => nonsense as never);
      expect([status, body['message']]).toEqual([
        500,
        expect.stringMatching(/^the admission function failed: it returned (no|a) verdict/),
      ]);
    }
  });

  it('may throw any value', async () => {
    for (const thrown of [undefined, null, 'text', { a: 1 }, 7n]) {
      const { status, outcome } = await ask(() => {
        throw thrown;
      });
      expect([status, outcome]).toEqual([500, 'failed']);
    }
  });

  it('are aborted through the signal when the timeout is over', async () => {
    let aborted = false;
    const wait: AdmissionFunction = (_request, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve(allow());
        });
      });
    for (const onError of ['fail', 'deny'] as const) {
      aborted = false;
      const { status, outcome } = await answerReview(
        admission(wait, { onError }),
        admissionReview({ object }),
        { timeoutMs: 20 },
      );
      expect([status, outcome, aborted]).toEqual([onError === 'fail' ? 504 : 200, 'timeout', true]);
    }
  });
});

describe('a body that is not an AdmissionReview', () => {
  const webhook = admission(() => allow());
  const raw = async (text: string) => {
    const { status, body, outcome } = await webhook.answer(Buffer.from(text));
    return [status, JSON.parse(body as string).message, outcome];
  };

  it.each([
    ['', 'the body is empty'],
    ['{', 'the body is not JSON: unexpected end of JSON input'],
    ['[1]', 'the body is JSON, but not an object'],
    ['{}', 'expected a review of kind AdmissionReview, got none'],
    [
      '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}',
      'expected a review of kind AdmissionReview, got "ConversionReview"',
    ],
    [
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2"}',
      'expected AdmissionReview in one of admission.k8s.io/v1, admission.k8s.io/v1beta1, got "admission.k8s.io/v2"',
    ],
    ['{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', 'the AdmissionReview has no request'],
    [
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{}}',
      'the request of the AdmissionReview has no uid',
    ],
    [
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u"}}',
      'the request of the AdmissionReview has no operation',
    ],
    [
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","operation":"CREATE","object":[]}}',
      'request.object is not an object',
    ],
  ])('is refused with a reason: %s', async (text, message) => {
    expect(await raw(text)).toEqual([400, message, 'malformed']);
  });

  it('is refused however deeply it is nested', async () => {
    const [status] = await raw('['.repeat(200_000));
    expect(status).toBe(400);
  });
});

const recorded = recordedReviews('AdmissionReview');

it('answers what a real API server sent', async () => {
  for (const { review } of recorded) {
    const request = review['request'] as JsonObject;
    const { status, body } = await answerReview(
      admission(() => allow({ warnings: ['seen'] })),
      review,
    );
    const response = { uid: request['uid'], allowed: true, warnings: ['seen'] };
    expect([status, body]).toEqual([
      200,
      { kind: 'AdmissionReview', apiVersion: review['apiVersion'], response },
    ]);
  }
});
