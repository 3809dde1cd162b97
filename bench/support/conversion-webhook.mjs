// A conversion webhook made with the host kit, in a process of its own: v1 has spec.cronSpec where v2 has spec.schedule. Prints its URL and its CA;
// to every message it answers how often it was called so far, and with how many objects.
import { conversion, serveWebhooks } from '../../packages/webhook/dist/index.js';

const told = { calls: 0, objects: 0 };
const rename = (from, to) => (object) => {
  told.objects++;
  const { [from]: time, ...spec } = object.spec;
  return { ...object, spec: { ...spec, [to]: time } };
};
const webhook = conversion({
  group: 'bench.example.com',
  kind: 'CronTab',
  convert: { 'v1→v2': rename('cronSpec', 'schedule'), 'v2→v1': rename('schedule', 'cronSpec') },
});
const counted = {
  ...webhook,
  answer(body, call) {
    told.calls++;
    return webhook.answer(body, call);
  },
};
const host = await serveWebhooks({ listen: { host: '127.0.0.1', port: 0 }, tls: { selfManaged: {} }, webhooks: { '/convert': counted } });
process.on('message', () => process.send(told));
console.log(JSON.stringify({ url: `${host.url}/convert`, ca: Buffer.from(host.caBundle).toString('base64') }));
