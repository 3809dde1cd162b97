// spec.conversion of a CRD: what is accepted and filled in, and how it may change.
import { CRDS, crd } from '../lib/fixtures.mjs';
import { conversionAnswer } from '../lib/webhook.mjs';
import { byNone, byWebhook, convertCronTab, install, lean, MERGE, V1, V2 } from './conversion/crontab.mjs';

/** What is refused is for the scenarios on definitions. */
export async function accepted(t) {
  const url = 'https://hook.example.com:9/convert';
  const service = { namespace: 'default', name: 'hook' };
  const webhook = (clientConfig, conversionReviewVersions = ['v1']) => ({
    strategy: 'Webhook',
    webhook: { clientConfig, conversionReviewVersions },
  });
  for (const [label, conversion] of [
    ['nothing given', undefined],
    ['null', null],
    ['None', { strategy: 'None' }],
    ['None with a null webhook', { strategy: 'None', webhook: null }],
    ['None with an empty webhook', { strategy: 'None', webhook: {} }],
    ['a URL', webhook({ url })],
    ['a URL without a port and a path', webhook({ url: 'https://hook.example.com' })],
    ['a service', webhook({ service })],
    ['a service with path and port', webhook({ service: { ...service, path: '/convert', port: 8443 } })],
    ['unknown before known conversionReviewVersions', webhook({ url }, ['v9', 'v1'])],
    ['an empty caBundle', webhook({ url, caBundle: '' })],
    ['a caBundle that is no certificate', webhook({ url, caBundle: 'AAAA' })],
    ['a caBundle that is not base64', webhook({ url, caBundle: '!' })],
  ])
    await t.step(label, 'POST', `${CRDS}?dryRun=All`, {
      body: crd('conversion-accepted.conf.example.com', 'CronTab', { conversion }),
      pick: (b) => b.spec.conversion,
    });
}

export async function changes(t) {
  const { definition, hook, url, seed, get } = await install(t, 'changes');
  const good = byWebhook(hook);
  await seed('v1', 'one', { spec: { cronSpec: '* * * * *' } });
  const patch = (label, conversion) =>
    t.step(label, 'PATCH', definition, {
      body: { spec: { conversion } },
      type: MERGE,
      pick: (b) => ({ generation: b.metadata.generation, conversion: b.spec.conversion }),
    });
  await patch('Webhook to None, with the webhook left there', { strategy: 'None' });
  await patch('Webhook to None', byNone);
  await patch('None to Webhook without a webhook', { strategy: 'Webhook' });
  await patch('None to Webhook', good);
  await patch('a caBundle that is no certificate', { webhook: { clientConfig: { caBundle: 'AAAA' } } });
  await patch('a URL that is not https', { webhook: { clientConfig: { url: 'http://127.0.0.1/' } } });
  await patch('only unknown conversionReviewVersions', { webhook: { conversionReviewVersions: ['v9'] } });
  await patch('conversion taken away', null);
  await patch('Webhook once more', good);
  await t.until('the webhook to be in force', async () => (await get('v2', 'one')).spec?.hour);
  await t.step('after all that v2 is converted', 'GET', url('v2', 'one'), { pick: lean });
}

/** On create a caBundle may be anything, but the CRD is not served before it holds certificates. */
export async function invalidCaBundle(t) {
  const group = 'conversion-ca.conf.example.com';
  const ns = await t.namespace('conf-conversion-ca');
  const hook = await t.webhook(conversionAnswer(convertCronTab));
  const def = crd(group, 'CronTab', {
    versions: [V1, V2],
    conversion: byWebhook(hook, '/convert', ['v1'], 'AAAA'),
  });
  const definition = `${CRDS}/${def.metadata.name}`;
  t.onEnd(() => t.client.request('DELETE', definition));
  const condition = (b) =>
    b.status.conditions
      ?.filter((c) => c.type === 'Established')
      .map(({ status, reason, message }) => ({ status, reason, message }));
  await t.step('create', 'POST', CRDS, { body: def, pick: (b) => b.spec.conversion });
  await t.until(
    'the reason',
    async () =>
      condition((await t.client.request('GET', definition)).body)?.[0]?.reason === 'InvalidCABundle',
  );
  await t.step('the condition', 'GET', definition, { pick: condition });
  const patch = (label, caBundle) =>
    t.step(label, 'PATCH', definition, {
      body: { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } },
      type: MERGE,
      pick: (b) => b.spec.conversion,
    });
  await patch('another caBundle that is no certificate', 'AAAB');
  await patch('a caBundle that is one', hook.caBundle);
  await t.established(def.metadata.name);
  await t.step('now the condition is', 'GET', definition, { pick: condition });
  const url = (v) => `/apis/${group}/${v}/namespaces/${ns}/crontabs`;
  await t.setup('POST', url('v1'), {
    body: {
      apiVersion: `${group}/v1`,
      kind: 'CronTab',
      metadata: { name: 'one' },
      spec: { cronSpec: '* * * * *' },
    },
  });
  await t.step('and v2 is converted', 'GET', `${url('v2')}/one`, { pick: lean });
}
