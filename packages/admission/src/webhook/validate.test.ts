import { expect, it } from 'vitest';
import {
  allow,
  cronTab,
  deny,
  type ScriptedAnswer,
  subject,
  TestHost,
  webhookSet,
} from '../testing/test-host.ts';
import { validate } from './validate.ts';

const OBJECT = cronTab({ image: 'i' });
const slowly =
  (answer: ScriptedAnswer): ScriptedAnswer =>
  async (review) => {
    await new Promise((resume) => setImmediate(resume));
    return answer(review);
  };

it('sends the object to all webhooks concurrently', async () => {
  let waiting = 0;
  let most = 0;
  const together: ScriptedAnswer = async () => {
    most = Math.max(most, ++waiting);
    await new Promise((resume) => setImmediate(resume));
    waiting--;
    return { allowed: true };
  };
  const host = new TestHost({ w0: together, w1: together, w2: together });
  await validate(webhookSet({}, {}, {}), subject(), OBJECT, host);
  expect(most).toBe(3);
  expect(host.reviews.map(({ request }) => request.object)).toEqual([OBJECT, OBJECT, OBJECT]);
});

it('reports the first denial to arrive, after all have answered', async () => {
  const host = new TestHost({ w0: slowly(deny('late')), w1: deny('early'), w2: slowly(allow) });
  await expect(validate(webhookSet({}, {}, {}), subject(), OBJECT, host)).rejects.toThrow(
    'admission webhook "w1" denied the request: early',
  );
  expect(host.called).toEqual(['w0', 'w1', 'w2']);
  expect(host.webhooks).toHaveLength(3);
});

it('passes on warnings and annotations', async () => {
  const host = new TestHost({
    w0: () => ({ allowed: true, warnings: ['mind this'], auditAnnotations: { note: 'seen' } }),
  });
  await validate(webhookSet({}), subject(), OBJECT, host);
  expect(host.warnings).toEqual(['mind this']);
  expect([...host.annotations]).toEqual([['w0/note', 'seen']]);
});

it('calls a webhook only if its match conditions hold', async () => {
  const failing = { name: 'fails', expression: 'object.nothing == 1' };
  const no = { name: 'no', expression: 'false' };
  const run = async (failurePolicy: string, ...matchConditions: { name: string; expression: string }[]) => {
    const host = new TestHost({ w0: allow });
    await validate(webhookSet({ failurePolicy, matchConditions }), subject(), OBJECT, host);
    return host.called.length;
  };
  expect(await run('Fail', failing, no)).toBe(0);
  expect(await run('Ignore', failing)).toBe(0);
  await expect(run('Fail', failing)).rejects.toMatchObject({
    code: 403,
    message: `crontabs.g.example.com "a" is forbidden: expression 'object.nothing == 1' resulted in error: no such key: nothing`,
  });
  expect(await run('Fail', { name: 'yes', expression: "request.name == 'a' && oldObject == null" })).toBe(1);
});

it('tolerates a missing namespace unless a selector needs it', async () => {
  const elsewhere = subject({ namespace: 'missing' });
  const host = new TestHost({ w0: allow });
  await validate(webhookSet({}), elsewhere, OBJECT, host);
  expect(host.called).toEqual(['w0']);
  const choosy = webhookSet({ namespaceSelector: { matchLabels: { team: 'red' } } });
  await expect(validate(choosy, elsewhere, OBJECT, host)).rejects.toMatchObject({ code: 404 });
  const other = webhookSet({
    namespaceSelector: { matchLabels: { team: 'red' } },
    objectSelector: { matchLabels: { a: 'b' } },
  });
  await expect(validate(other, elsewhere, OBJECT, host)).resolves.toBeUndefined();
});
