import type { KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { ConversionFailure } from './failure.ts';
import { cronTab, fakeWebhook, good, refusing, type ScriptedAnswer, V1, V2 } from './testing/fake-webhook.ts';
import { CallError } from './webhook-call.ts';

const many = (count: number): KubeObject[] => Array.from({ length: count }, (_, i) => cronTab(`c${i}`));
const failuresIn = (outcomes: readonly object[]): number[] =>
  outcomes.flatMap((outcome, i) => (outcome instanceof ConversionFailure ? [i] : []));
const messageOf = (outcome: object | undefined): string => (outcome as ConversionFailure).message;

/** Refuses every batch that contains one of these. */
const refusingNames =
  (...names: string[]): ScriptedAnswer =>
  (review) =>
    review.request.objects.some((o) => names.includes((o['metadata'] as { name: string }).name))
      ? refusing(review)
      : good(review);

/** Takes the request and never answers if it contains an object whose name starts like this. */
const failing =
  (kind: 'call' | 'timeout', message: string) =>
  (name: string): ScriptedAnswer =>
  (review) => {
    const isIn = review.request.objects.some((o) =>
      (o['metadata'] as { name: string }).name.startsWith(name),
    );
    if (isIn) throw new CallError(message, kind, { mayRetry: kind === 'call', reached: true });
    return good(review);
  };
const endingBadlyOn = failing('call', 'EOF');
const stuckOn = failing('timeout', 'deadline exceeded');

describe('what is sent', () => {
  it('is a review in the form that kube-apiserver sends, without resourceVersions', async () => {
    const hook = fakeWebhook(good);
    await hook.convert([
      cronTab('a', { metadata: { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '7' } }),
    ]);
    expect(hook.reviews).toEqual([
      {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: {
          uid: 'review-0',
          desiredAPIVersion: V2,
          objects: [cronTab('a', { metadata: { name: 'a', namespace: 'ns', uid: 'u' } })],
        },
        response: { uid: '', convertedObjects: null, result: { metadata: {} } },
      },
    ]);
  });

  it('is split into batches by number and by bytes, several of them in flight', async () => {
    const hook = fakeWebhook(good, { settings: { batchObjects: 100, concurrency: 3 } });
    const outcomes = await hook.convert(many(1000));
    expect(hook.reviews.map(({ request }) => request.objects.length)).toEqual(
      Array.from({ length: 10 }, () => 100),
    );
    expect(hook.mostAtOnce()).toBe(3);
    expect(outcomes.map((outcome) => (outcome as KubeObject).metadata.name)).toEqual(
      many(1000).map(({ metadata }) => metadata.name),
    );
    const small = fakeWebhook(good, { settings: { batchBytes: 500 } });
    await small.convert(many(10));
    expect(small.reviews.length).toBeGreaterThan(2);
  });

  it('is nothing if there is nothing to convert', async () => {
    const hook = fakeWebhook(good);
    await hook.convert([]);
    expect(hook.reviews).toEqual([]);
  });
});

describe('what comes back', () => {
  it('keeps integers that a double cannot hold', async () => {
    const hook = fakeWebhook(() => ({
      status: 200,
      contentType: 'application/json',
      body: `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"review-0","result":{"status":"Success"},"convertedObjects":[{"apiVersion":"${V2}","kind":"CronTab","metadata":{"name":"a","namespace":"ns","uid":"uid-of-a"},"spec":{"n":9007199254740993}}]}}`,
    }));
    const [outcome] = await hook.convert([cronTab('a')]);
    expect((outcome as KubeObject)['spec']).toEqual({ n: 9007199254740993n });
  });

  it('may be YAML', async () => {
    const body = `apiVersion: apiextensions.k8s.io/v1\nkind: ConversionReview\nresponse:\n  uid: review-0\n  result: {status: Success}\n  convertedObjects:\n  - {apiVersion: ${V2}, kind: CronTab, metadata: {name: a, namespace: ns, uid: uid-of-a}}\n`;
    const [outcome] = await fakeWebhook(() => ({
      status: 200,
      contentType: 'application/yaml',
      body,
    })).convert([cronTab('a')]);
    expect(outcome).toMatchObject({ apiVersion: V2 });
  });

  const lies: [string, ScriptedAnswer, string][] = [
    ['a wrong uid', (r) => answer(r, { uid: 'x' }), 'failed: expected response.uid="review-0", got "x"'],
    ['no response', ({ apiVersion, kind }) => ({ apiVersion, kind }), 'failed: no response provided'],
    [
      'another kind',
      (r) => ({ ...(good(r) as object), kind: 'X' }),
      'failed: no kind "X" is registered for version "apiextensions.k8s.io/v1" in scheme',
    ],
    ['too many objects', (r) => answer(r, { convertedObjects: [1, 2] }), 'returned 2 objects, expected 1'],
    ['no list of objects', (r) => answer(r, { convertedObjects: 'x' }), 'failed: json: cannot unmarshal'],
    [
      'the wrong version',
      (r) => answer(r, { convertedObjects: r.request.objects }),
      `returned invalid object at index 0: invalid groupVersion (expected ${V2}, received ${V1})`,
    ],
    [
      'no JSON',
      () => ({ status: 200, contentType: 'text/html', body: '<html>' }),
      "failed: couldn't get version/kind",
    ],
    [
      'half of a review',
      () => ({ status: 200, contentType: 'application/json', body: '{"apiVersion":' }),
      "failed: couldn't get version/kind",
    ],
    [
      'nothing',
      () => ({ status: 200, contentType: 'text/plain', body: '' }),
      'failed: 0-length response with status code: 200 and content type: text/plain',
    ],
    [
      'HTTP 500',
      () => ({ status: 500, contentType: 'text/plain', body: 'oh' }),
      'failed: an error on the server ("oh") has prevented the request from succeeding',
    ],
    [
      'a Status',
      () => ({
        status: 400,
        contentType: 'application/json',
        body: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"told so"}',
      }),
      'failed: told so',
    ],
  ];
  it.each(lies)('is refused if it is %s', async (_, lie, text) => {
    const [outcome] = await fakeWebhook(lie).convert([cronTab('a')]);
    expect(outcome).toBeInstanceOf(ConversionFailure);
    expect(messageOf(outcome)).toContain(`conversion webhook for ${V1}, Kind=CronTab ${text}`);
  });

  it('is explained with what upstream leaves out', async () => {
    const [outcome] = await fakeWebhook(() => ({
      status: 404,
      contentType: 'text/plain',
      body: 'no such page',
    })).convert([cronTab('a')]);
    expect((outcome as ConversionFailure).explain({ withUid: true })).toBe(
      `conversion webhook for ${V1}, Kind=CronTab failed: the server could not find the requested resource [converting ns/a, uid uid-of-a, from v1 to v2, by https://hook.example.com/convert, HTTP 404 "no such page"]`,
    );
  });

  it('is not checked for uid and type in v1beta1', async () => {
    const hook = fakeWebhook((r) => ({ ...(answer(r, { uid: 'x' }) as object), kind: undefined }), {
      reviewVersion: 'apiextensions.k8s.io/v1beta1',
    });
    expect(failuresIn(await hook.convert([cronTab('a')]))).toEqual([]);
  });

  it('is an error without a call if no review version is supported', async () => {
    const hook = fakeWebhook(good, { reviewVersion: undefined });
    expect(messageOf((await hook.convert([cronTab('a')]))[0])).toContain(
      'no supported conversion review versions',
    );
    expect(hook.reviews).toEqual([]);
  });
});

function answer(review: Parameters<ScriptedAnswer>[0], change: object): unknown {
  const whole = good(review) as { response: object };
  return { ...whole, response: { ...whole.response, ...change } };
}

describe('an object that cannot be converted', () => {
  it.each([0, 1, 37, 99])('is separated from the others of its batch (at %i)', async (bad) => {
    const hook = fakeWebhook(refusingNames(`c${bad}`));
    expect(failuresIn(await hook.convert(many(100)))).toEqual([bad]);
    expect(hook.reviews.length).toBeLessThanOrEqual(15);
  });

  it('is known without bisecting if the webhook answers with another object in its place', async () => {
    const hook = fakeWebhook((r) =>
      answer(r, {
        convertedObjects: r.request.objects.map((o, i) => ({ ...o, apiVersion: i === 3 ? 'x/v1' : V2 })),
      }),
    );
    expect(failuresIn(await hook.convert(many(10)))).toEqual([3]);
    expect(hook.reviews.length).toBe(1);
  });

  it('costs a bounded number of calls if the caller stops at the first failure, even if all are refused', async () => {
    const hook = fakeWebhook(refusing, { settings: { batchObjects: 256, concurrency: 1 } });
    const outcomes = await hook.convert(many(1024), V2, { stopsAtFirst: true });
    expect(failuresIn(outcomes)).toContain(0);
    expect(hook.reviews.length).toBeLessThanOrEqual(17);
    // Nothing is reported for objects that were not sent on their own.
    expect(outcomes.length).toBeLessThan(256);
  });

  it('is reported to a caller that stops at the first failure even if only large batches are refused', async () => {
    for (const limit of [1, 5, 20, 60]) {
      const hook = fakeWebhook((review) =>
        review.request.objects.length > limit ? refusing(review) : good(review),
      );
      const outcomes = await hook.convert(many(250), V2, { stopsAtFirst: true });
      const isWhole = Array.from(outcomes).filter((outcome) => outcome !== undefined).length === 250;
      expect(isWhole || failuresIn(outcomes).length > 0).toBe(true);
      expect(hook.reviews.length).toBeLessThanOrEqual(17);
    }
  });

  it('is separated from the others even if there are many such objects', async () => {
    const bad = [1, 8, 15, 16, 17, 90, 91, 199];
    const hook = fakeWebhook(refusingNames(...bad.map((i) => `c${i}`)), { settings: { batchObjects: 20 } });
    const outcomes = await hook.convert(many(200));
    expect([outcomes.length, failuresIn(outcomes)]).toEqual([200, bad]);
  });

  it('is no longer searched for after a bounded number of calls', async () => {
    const hook = fakeWebhook(refusing, { settings: { batchObjects: 256, concurrency: 1 } });
    const outcomes = await hook.convert(many(1024));
    expect(failuresIn(outcomes)).toEqual([...many(1024).keys()]);
    expect(hook.reviews.length).toBeLessThanOrEqual(1_004);
    expect((outcomes[1023] as ConversionFailure).explain({ withUid: false })).toContain('or one of the');
    expect((outcomes[0] as ConversionFailure).explain({ withUid: false })).not.toContain('or one of the');
  });

  it('is not searched for once the request is aborted', async () => {
    const hook = fakeWebhook(refusing);
    const outcomes = await hook.convert(many(200), V2, { isAborted: () => hook.reviews.length >= 5 });
    expect([hook.reviews.length, failuresIn(outcomes)]).toEqual([5, []]);
  });

  it('is found by bisecting if the webhook closes the connection because of it', async () => {
    const hook = fakeWebhook(endingBadlyOn('c37'));
    expect(failuresIn(await hook.convert(many(100)))).toEqual([37]);
  });

  it('does not block others from a webhook that crashes or hangs because of it', async () => {
    for (const answer of [endingBadlyOn('c0'), stuckOn('c0')]) {
      const hook = fakeWebhook(answer);
      for (let i = 0; i < 20; i++) expect(failuresIn(await hook.convert([cronTab('c0')]))).toEqual([0]);
      expect(failuresIn(await hook.convert([cronTab('c1')]))).toEqual([]);
    }
  });

  it('is found by bisecting if the webhook hangs on it', async () => {
    for (const bad of [0, 37, 99]) {
      const hook = fakeWebhook(stuckOn(`c${bad}`));
      const others = many(100).filter(
        ({ metadata }) => metadata.name === `c${bad}` || !metadata.name!.startsWith(`c${bad}`),
      );
      const outcomes = await hook.convert(others);
      expect(failuresIn(outcomes).map((i) => others[i]!.metadata.name)).toEqual([`c${bad}`]);
    }
  });

  it('is not searched for if each attempt would time out', async () => {
    const hook = fakeWebhook((review) => {
      hook.clock.now += 30_000;
      return stuckOn('c37')(review);
    });
    const outcomes = await hook.convert(many(100));
    expect([hook.reviews.length, failuresIn(outcomes).length]).toEqual([1, 100]);
    expect((outcomes[0] as ConversionFailure).explain({ withUid: true })).toBe(
      `conversion webhook for ${V1}, Kind=CronTab failed: deadline exceeded [converting ns/c0, uid uid-of-c0, or one of the 99 others in the same call, from v1 to v2, by https://hook.example.com/convert]`,
    );
  });
});

describe('an unreachable webhook', () => {
  const unreachable: ScriptedAnswer = () => {
    throw new CallError('Post "https://x": dial tcp 1.2.3.4:5: connect: connection refused', 'call');
  };

  it('is not called for each half of a batch', async () => {
    const hook = fakeWebhook(unreachable, { settings: { concurrency: 1 } });
    expect(failuresIn(await hook.convert(many(1000)))).toHaveLength(1000);
    expect(hook.reviews.length).toBe(1);
  });

  it('is called again if only its connection broke', async () => {
    let calls = 0;
    const hook = fakeWebhook((review) => {
      if (calls++ === 0) throw new CallError('EOF', 'call', { mayRetry: true });
      return good(review);
    });
    expect(failuresIn(await hook.convert([cronTab('a')]))).toEqual([]);
  });

  it('is called again only after a backoff', async () => {
    const hook = fakeWebhook(unreachable);
    for (let i = 0; i < 5; i++) await hook.convert([cronTab('a')]);
    const [outcome] = await hook.convert([cronTab('a')]);
    expect(hook.reviews.length).toBe(5);
    expect(messageOf(outcome)).toBe(
      `conversion webhook for ${V1}, Kind=CronTab failed: Post "https://x": dial tcp 1.2.3.4:5: connect: connection refused (it failed 5 times in a row and is called again in 0.5s)`,
    );
    hook.clock.now = 501;
    await hook.convert([cronTab('a')]);
    expect(hook.reviews.length).toBe(6);
    hook.state.answer = good;
    hook.clock.now = 10_000;
    expect(failuresIn(await hook.convert([cronTab('a')]))).toEqual([]);
    expect(failuresIn(await hook.convert(many(1000)))).toEqual([]);
  });

  it('is tried after timeouts only with a batch that it did not hang on', async () => {
    const hook = fakeWebhook(stuckOn('c'));
    for (const object of many(5)) await hook.convert([object]);
    expect(messageOf((await hook.convert([cronTab('other')]))[0])).toContain(
      'it failed 5 times in a row and is called again in 0.5s',
    );
    expect([hook.reviews.length, hook.state.spared]).toEqual([5, 1]);
    hook.state.answer = stuckOn('c0');
    hook.clock.now = 501;
    expect(failuresIn(await hook.convert([cronTab('c0')]))).toEqual([0]);
    expect([hook.reviews.length, hook.state.spared]).toEqual([5, 2]);
    expect(failuresIn(await hook.convert([cronTab('other')]))).toEqual([]);
    expect(failuresIn(await hook.convert([cronTab('c0')]))).toEqual([0]);
    expect(hook.reviews.length).toBe(7);
  });

  it('is tried with the batch it hung on if there is no other', async () => {
    const hook = fakeWebhook(stuckOn('c'));
    for (const object of many(5)) await hook.convert([object]);
    hook.state.answer = good;
    hook.clock.now = 5_000;
    expect(failuresIn(await hook.convert([cronTab('c0')]))).toEqual([]);
  });

  it('is tried again if the trial call was abandoned', async () => {
    const hook = fakeWebhook(unreachable);
    for (let i = 0; i < 5; i++) await hook.convert([cronTab('a')]);
    hook.state.answer = () => {
      throw new TypeError('a fault of our own');
    };
    hook.clock.now = 501;
    await expect(hook.convert([cronTab('a')])).rejects.toThrow('a fault of our own');
    hook.state.answer = good;
    expect(failuresIn(await hook.convert([cronTab('a')]))).toEqual([]);
  });

  it('is not called for the rest of a list when it takes too long to answer', async () => {
    const hook = fakeWebhook(
      (review) => {
        hook.clock.now += 30_000;
        return stuckOn('c')(review);
      },
      { settings: { batchObjects: 10, concurrency: 1 } },
    );
    const outcomes = await hook.convert(many(100));
    expect([hook.reviews.length, failuresIn(outcomes).length]).toEqual([1, 100]);
    expect([messageOf(outcomes[99]), (outcomes[99] as ConversionFailure).isUnreachable]).toEqual([
      `conversion webhook for ${V1}, Kind=CronTab failed: deadline exceeded (for other objects, and was not called for this one)`,
      true,
    ]);
  });

  it('is distinguished from one that refuses objects, which does not stop other calls', async () => {
    const hook = fakeWebhook(() => ({ status: 500, contentType: 'text/plain', body: 'bad object' }));
    for (let i = 0; i < 10; i++) await hook.convert([cronTab('a')]);
    expect(hook.reviews.length).toBe(10);
  });
});

it('reports every call to the observer', async () => {
  const hook = fakeWebhook(refusingNames('c1'));
  await hook.convert(many(2));
  expect(
    hook.observed.map(({ objects, fault, toApiVersion }) => [
      objects,
      fault?.kind,
      fault?.upstreamType,
      toApiVersion,
    ]),
  ).toEqual([
    [2, 'refused', 'conversion_webhook_malformed_response_failure', V2],
    [1, undefined, undefined, V2],
    [1, 'refused', 'conversion_webhook_malformed_response_failure', V2],
  ]);
});
