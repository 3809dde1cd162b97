// A conversion webhook made with the webhook kit, in its own process: v1 has spec.cronSpec where v2 has
// spec.schedule. By functions, or with --lens by a lens. Prints its URL and its CA; replies to every message
// with the number of calls and objects so far.
import { parseLens } from '../../packages/lens/dist/index.js';
import { conversion, serveWebhooks } from '../../packages/webhook/dist/index.js';

const counts = { calls: 0, objects: 0 };
const rename = (from, to) => (object) => {
  const { [from]: time, ...spec } = object.spec;
  return { ...object, spec: { ...spec, [to]: time } };
};
const byFunction = {
  group: 'bench.example.com',
  kind: 'CronTab',
  convert: { 'v1→v2': rename('cronSpec', 'schedule'), 'v2→v1': rename('schedule', 'cronSpec') },
};
const { lens } = parseLens({
  apiVersion: 'instar.dev/v1alpha1',
  kind: 'Lens',
  metadata: { name: 'crontabs' },
  spec: {
    crd: 'crontabs.bench.example.com',
    lenses: [{ from: 'v1', to: 'v2', ops: [{ rename: { from: 'spec.cronSpec', to: 'spec.schedule' } }] }],
  },
});
const webhook = conversion(process.argv.includes('--lens') ? { lens } : byFunction);
const counted = {
  ...webhook,
  async answer(body, call) {
    const answer = await webhook.answer(body, call);
    counts.calls++;
    for (const { objects } of answer.conversions ?? []) counts.objects += objects;
    return answer;
  },
};
const host = await serveWebhooks({
  listen: { host: '127.0.0.1', port: 0 },
  tls: { selfManaged: {} },
  webhooks: { '/convert': counted },
});
process.on('message', () => process.send(counts));
console.log(
  JSON.stringify({ url: `${host.url}/convert`, ca: Buffer.from(host.caBundle).toString('base64') }),
);
