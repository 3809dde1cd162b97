import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allow,
  cronTab,
  deny,
  mappingFor,
  mutate,
  patch,
  type ScriptedAnswer,
  subject,
  TestHost,
  webhookSet,
} from '../testing/test-host.ts';
import type { WebhookSource } from './webhook.ts';

const again = { reinvocationPolicy: 'IfNeeded' };
const label = (name: string): ScriptedAnswer =>
  patch({ op: 'add', path: '/metadata/labels', value: { [name]: 'yes' } });
const CREATED = cronTab({ image: 'i' });

async function run(
  answers: Record<string, ScriptedAnswer>,
  webhooks: Partial<WebhookSource>[],
  change = {},
  object = CREATED,
) {
  const host = new TestHost(answers);
  const result = await mutate(webhookSet(...webhooks), subject(change), object, host);
  return { host, result };
}

describe('the audit log', () => {
  const { answers, webhooks } = {
    answers: { w0: label('a'), w1: label('b') },
    webhooks: [again, { failurePolicy: 'Ignore' as const, name: 'gone' }, { name: 'w1' }],
  };

  it('says of each call whether it has changed the object, and what failed open', async () => {
    const { host } = await run(answers, webhooks);
    const said = Object.fromEntries(host.annotations);
    const about = (webhook: string, mutated: boolean) => ({
      configuration: expect.any(String),
      webhook,
      mutated,
    });
    expect(JSON.parse(said['mutation.webhook.admission.k8s.io/round_0_index_0']!)).toEqual(about('w0', true));
    expect(JSON.parse(said['mutation.webhook.admission.k8s.io/round_0_index_1']!)).toEqual(
      about('gone', false),
    );
    expect(said['failed-open.mutation.webhook.admission.k8s.io/round_0_index_1']).toBe('gone');
    expect(said).toHaveProperty(['mutation.webhook.admission.k8s.io/round_1_index_0']);
    expect(Object.keys(said).some((key) => key.startsWith('patch.'))).toBe(false);
  });

  it('has patches if it has bodies', async () => {
    const host = new TestHost(answers);
    host.auditsBodies = true;
    await mutate(webhookSet(...webhooks), subject(), CREATED, host);
    const said = host.annotations.get('patch.webhook.admission.k8s.io/round_0_index_0');
    expect(JSON.parse(said!)).toMatchObject({
      webhook: 'w0',
      patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'yes' } }],
      patchType: 'JSONPatch',
    });
  });
});

describe('mutating webhooks', () => {
  it('are called in order, each with the changes of those before', async () => {
    const set = (value: string): ScriptedAnswer => patch({ op: 'replace', path: '/spec/image', value });
    const { host, result } = await run({ w0: set('one'), w1: set('two') }, [{}, {}]);
    expect(host.called).toEqual(['w0', 'w1']);
    expect(host.reviews[1]!.request.object).toMatchObject({ spec: { image: 'one' } });
    expect(result).toMatchObject({ spec: { image: 'two' } });
    expect(CREATED).toMatchObject({ spec: { image: 'i' } });
  });

  it('leave an object alone if none of them changes it', async () => {
    const { result } = await run({ w0: allow, w1: patch() }, [{}, {}]);
    expect(result).toBe(CREATED);
  });

  it('are not called for what they do not select', async () => {
    const { host } = await run({}, [
      { rules: [] },
      { objectSelector: { matchLabels: { a: 'b' } } },
      { namespaceSelector: { matchLabels: { team: 'blue' } } },
      { matchConditions: [{ name: 'c', expression: "object.spec.image == 'other'" }] },
    ]);
    expect(host.called).toEqual([]);
  });

  it('stop at the first denial', async () => {
    const host = new TestHost({ w0: deny('no'), w1: allow });
    const refused = mutate(webhookSet({}, {}), subject(), CREATED, host);
    await expect(refused).rejects.toMatchObject({
      code: 400,
      message: 'admission webhook "w0" denied the request: no',
    });
    expect(host.called).toEqual(['w0']);
    expect(host.webhooks).toMatchObject([{ name: 'w0', rejected: true, code: 400, errorType: 'no_error' }]);
  });

  it('fail the request or are skipped when the call fails, by failurePolicy', async () => {
    await expect(run({}, [{}])).rejects.toMatchObject({
      code: 500,
      message:
        'Internal error occurred: failed calling webhook "w0": failed to call webhook: nobody is there',
    });
    const { host, result } = await run({ w1: label('b') }, [{ failurePolicy: 'Ignore' }, {}]);
    expect(result).toMatchObject({ metadata: { labels: { b: 'yes' } } });
    expect(host.webhooks[0]).toMatchObject({ rejected: false, failedOpen: true, code: 503 });
  });

  it('must have no side effects in a dry run', async () => {
    await expect(run({ w0: allow }, [{ sideEffects: 'Some' }], { dryRun: true })).rejects.toMatchObject({
      code: 400,
      message: 'admission webhook "w0" does not support dry run',
    });
    expect(
      (await run({ w0: allow }, [{ sideEffects: 'NoneOnDryRun' }], { dryRun: true })).host.called,
    ).toEqual(['w0']);
  });

  it('do not go on once the request is aborted', async () => {
    const host = new TestHost({
      w0: () => {
        host.gone = true;
        return { allowed: true };
      },
      w1: allow,
    });
    await expect(
      mutate(webhookSet({ failurePolicy: 'Ignore' }, {}), subject(), CREATED, host),
    ).rejects.toMatchObject({ code: 504 });
    expect(host.called).toEqual(['w0']);
  });

  it('cannot change what is deleted', async () => {
    const host = new TestHost({ w0: label('a') });
    const refused = mutate(webhookSet({}), subject({ operation: 'DELETE', old: CREATED }), undefined, host);
    await expect(refused).rejects.toMatchObject({
      code: 500,
      message: expect.stringContaining('attempted to modify the object'),
    });
  });

  it('see and change the object in the version they ask for', async () => {
    const inV2 = {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v2'], resources: ['crontabs'] }],
    };
    const { host, result } = await run({ w0: label('a'), w1: label('b') }, [inV2, inV2]);
    expect(host.reviews.map(({ request }) => request.object?.['apiVersion'])).toEqual([
      'g.example.com/v2',
      'g.example.com/v2',
    ]);
    expect(host.reviews[0]!.request).toMatchObject({
      kind: mappingFor('v2').kind,
      requestKind: mappingFor('v1').kind,
    });
    expect(result).toMatchObject({ apiVersion: 'g.example.com/v1', metadata: { labels: { b: 'yes' } } });
    expect(host.conversions).toEqual([
      'g.example.com/v1 to g.example.com/v2',
      'g.example.com/v2 to g.example.com/v1',
    ]);
  });
});

describe('reinvocation', () => {
  const react: ScriptedAnswer = ({ request }) => {
    const labels = (request.object!['metadata'] as { labels?: Record<string, string> }).labels ?? {};
    if (labels['later'] === undefined || labels['early'] !== undefined) return { allowed: true };
    return label('early')({ apiVersion: '', request } as never) as { allowed: boolean };
  };

  it('calls those again that want it, if the object was changed after them', async () => {
    const { host } = await run({ w0: allow, w1: react, w2: label('later') }, [{}, again, {}]);
    expect(host.called).toEqual(['w0', 'w1', 'w2', 'w1']);
  });

  it('calls no webhook for the first time in the second round', async () => {
    const wanted = { ...again, objectSelector: { matchLabels: { later: 'yes' } } };
    const { host } = await run({ w0: allow, w1: label('later') }, [wanted, {}]);
    expect(host.called).toEqual(['w1']);
  });

  it('calls none again whose own change was the last, or after a patch that changes nothing', async () => {
    expect((await run({ w0: label('x') }, [again])).host.called).toEqual(['w0']);
    const same = patch({ op: 'replace', path: '/spec/image', value: 'i' });
    expect((await run({ w0: allow, w1: same }, [again, {}])).host.called).toEqual(['w0', 'w1']);
  });

  it('calls a webhook once, or at most twice if its policy allows it', async () => {
    const behaviors = fc.array(fc.record({ changes: fc.boolean(), reinvokes: fc.boolean() }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(behaviors, async (webhooks) => {
        let count = 0;
        const answers = webhooks.map(({ changes }, index): [string, ScriptedAnswer] => [
          `w${index}`,
          changes ? (review) => label(`c${count++}`)(review) : allow,
        ]);
        const sources = webhooks.map(({ reinvokes }) => (reinvokes ? again : {}));
        const { host } = await run(Object.fromEntries(answers), sources);
        webhooks.forEach(({ reinvokes }, index) => {
          const times = host.called.filter((name) => name === `w${index}`).length;
          const changedAfter = webhooks.slice(index + 1).some((later) => later.changes);
          // Once for certain. Again if it wants to and a later one changed the object; possibly also if a
          // reinvoked one did.
          if (!reinvokes) expect(times).toBe(1);
          else if (changedAfter) expect(times).toBe(2);
          else expect(times).toBeLessThanOrEqual(2);
        });
      }),
    );
  });
});
