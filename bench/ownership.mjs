// The cost of field ownership: for a plain update of a 2 KB object, compared with what every write of it does
// (parse the body and the stored object, encode the new one), and the number of applies per second. Run after
// a build: node bench/ownership.mjs
import { applyManaged, mergeTypeOf, updateManagedFields } from '../packages/ownership/dist/index.js';

const node = (type, rest = {}) => ({ type, preserveUnknownFields: false, listMapKeys: [], ...rest });
const object = (properties) => node('object', { properties: new Map(Object.entries(properties)) });
const string = node('string');
const rule = object({
  name: string,
  path: string,
  weight: node('integer'),
  headers: node('object', { additionalProperties: string }),
});
const schema = object({
  spec: object({
    host: string,
    rules: node('array', { items: rule, listType: 'map', listMapKeys: ['name'] }),
    tags: node('array', { items: string, listType: 'set' }),
    args: node('array', { items: string }),
  }),
});

const versions = { typeOf: () => mergeTypeOf(schema) };
const context = { apiVersion: 'bench.example.com/v1', now: '2026-01-01T00:00:00Z', versions };
const rules = Array.from({ length: 12 }, (_, i) => ({
  name: `rule-${i}`,
  path: `/some/path/number/${i}`,
  weight: i,
  headers: { 'x-one': `value of one ${i}`, 'x-two': `value of two ${i}` },
}));
const widget = {
  apiVersion: context.apiVersion,
  kind: 'Widget',
  metadata: {
    name: 'a',
    namespace: 'b',
    labels: { app: 'bench', tier: 'one' },
    annotations: { note: 'some text' },
  },
  spec: {
    host: 'bench.example.com',
    rules,
    tags: ['a', 'b', 'c'],
    args: Array.from({ length: 10 }, (_, i) => `--argument-number-${i}`),
  },
};

const stored = (o) => ({ ...o, metadata: { ...o.metadata, uid: 'u', resourceVersion: '1' } });
const live = stored(updateManagedFields({ ...context, live: undefined, next: widget, manager: 'creator' }));
const text = JSON.stringify(live);
const bare = JSON.stringify(stored(widget));

/** In CPU time, so that other load does not count. */
function perSecond(run, count = 20_000) {
  for (let i = 0; i < 3000; i++) run(i);
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) run(i);
  const { user, system } = process.cpuUsage(start);
  return (count * 1e6) / (user + system);
}

function changed(body, i) {
  const next = JSON.parse(body);
  next.spec.rules[3].path = `/changed/${i}`;
  return next;
}

const plain = perSecond((i) => JSON.stringify(changed(bare, JSON.parse(bare) && i)));
const withOwners = perSecond((i) => JSON.stringify(changed(text, JSON.parse(text) && i)));
const [liveObject, nextObject] = [JSON.parse(text), changed(text, 'x')];
const update = perSecond(() =>
  updateManagedFields({ ...context, live: liveObject, next: nextObject, manager: 'putter' }),
);
const create = perSecond(() =>
  updateManagedFields({ ...context, live: undefined, next: widget, manager: 'creator' }),
);
const noChange = perSecond(() =>
  updateManagedFields({ ...context, live: liveObject, next: liveObject, manager: 'putter' }),
);

const created = applyManaged({
  ...context,
  kind: 'Widget',
  live: undefined,
  applied: widget,
  manager: 'alpha',
  force: false,
});
const appliedLive = stored(created.object);
const applyInput = { ...context, kind: 'Widget', live: appliedLive, manager: 'alpha', force: false };
const applySame = perSecond(() => applyManaged({ ...applyInput, applied: widget }));
const other = changed(JSON.stringify(widget), 'other');
const applyChange = perSecond(() => applyManaged({ ...applyInput, applied: other }));

const micros = (rate) => `${(1e6 / rate).toFixed(1)} µs`;
console.log(`object ${bare.length} bytes, with managedFields ${text.length} bytes`);
console.log(
  `read body and stored object, write: ${micros(plain)} without managedFields, ${micros(withOwners)} with them`,
);
console.log(
  `updateManagedFields: a change ${micros(update)}, no change ${micros(noChange)}, create ${micros(create)}`,
);
console.log(`ownership of an update / reading and writing it: ${((plain / update) * 100).toFixed(0)} %`);
console.log(`apply: ${Math.round(applySame)}/s without a change, ${Math.round(applyChange)}/s with one`);
