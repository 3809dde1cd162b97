// The cost of a schema: objects per second through prune, default and validate for a large real CRD
// (Prometheus), compared with ajv with the same schema, and compile time and memory for all CRDs of the
// corpus. Run after a build: node --expose-gc bench/schema.mjs. The corpus is in $INSTAR_SHARED, or beside
// the repository.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Ajv from 'ajv';
import { deepCopy, parseYaml } from '../packages/machinery/dist/index.js';
import { compileSchema } from '../packages/schema/dist/index.js';

const corpus = `${process.env.INSTAR_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url))}/corpus/`;
if (!existsSync(corpus)) {
  console.log('schema: skipped, the corpus is missing');
  process.exit(0);
}

const read = (file) =>
  (existsSync(corpus + file)
    ? readFileSync(corpus + file)
    : gunzipSync(readFileSync(`${corpus}${file}.gz`))
  ).toString();
const yamlOf = (text) => parseYaml(text).value;
const index = (folder) => JSON.parse(read(`${folder}/index.json`));
const collect = () => globalThis.gc?.();

/** As a decoder with Go's types returns it: nulls are not set. */
function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === 'default' ? member : withoutNulls(member)]),
  );
}

/** The schemas of a CRD, one per version. A file that the parser refuses has none. */
function schemasOf(file) {
  try {
    const { spec } = withoutNulls(yamlOf(read(`crds/${file.replace(/\.gz$/, '')}`)));
    return (spec.versions ?? []).map((version) => version.schema?.openAPIV3Schema).filter(Boolean);
  } catch {
    return [];
  }
}

function perSecond(run, seconds = 2) {
  for (let i = 0; i < 300; i++) run(i);
  const start = process.cpuUsage();
  let count = 0;
  for (const end = performance.now() + seconds * 1000; performance.now() < end; )
    for (let i = 0; i < 50; i++, count++) run(count);
  const { user, system } = process.cpuUsage(start);
  return count / ((user + system) / 1e6);
}

const crds = index('crds');
const prometheus = crds.find(({ name }) => name === 'prometheuses.monitoring.coreos.com');
const [source] = schemasOf(prometheus.file);
const objects = index('objects')
  .filter(
    ({ kind, apiVersion, crd }) =>
      kind === 'Prometheus' && apiVersion === 'monitoring.coreos.com/v1' && crd === prometheus.name,
  )
  .map(({ file }) => yamlOf(read(`objects/${file}`)));
console.log(
  `Prometheus: ${prometheus.schemaNodes} schema nodes; ${objects.length} objects, ${Math.round(objects.reduce((sum, o) => sum + JSON.stringify(o).length, 0) / objects.length)} bytes each on average`,
);

const started = performance.now();
const schema = compileSchema(source);
const compiled = performance.now() - started;
const ours = perSecond((i) => {
  const object = deepCopy(objects[i % objects.length]);
  schema.prune(object);
  schema.applyDefaults(object);
  schema.validate(object);
});
const validateOnly = perSecond((i) => schema.validate(objects[i % objects.length]));
const copyOnly = perSecond((i) => deepCopy(objects[i % objects.length]));

const ajvStarted = performance.now();
const ajv = new Ajv({
  strict: false,
  useDefaults: true,
  removeAdditional: 'all',
  validateFormats: false,
  logger: false,
});
const check = ajv.compile(source);
const ajvCompiled = performance.now() - ajvStarted;
const theirs = perSecond((i) => check(deepCopy(objects[i % objects.length])));

const rate = (value) => Math.round(value).toLocaleString('en').padStart(11);
console.log(
  `compile                       ours ${compiled.toFixed(1)} ms, ajv ${ajvCompiled.toFixed(1)} ms (${(ajvCompiled / compiled).toFixed(0)} times)`,
);
console.log(`copy alone              ${rate(copyOnly)} objects/cpu-s`);
console.log(`prune+default+validate  ${rate(ours)} objects/cpu-s (with the copy)`);
console.log(
  `ajv, the same           ${rate(theirs)} objects/cpu-s (with the copy): ours is ${(ours / theirs).toFixed(2)} times as fast`,
);
console.log(`validate alone          ${rate(validateOnly)} objects/cpu-s`);

// Memory: what compiled schemas add to the parsed schemas, which a server holds anyway; then after validating
// every object of the corpus.
const all = crds.map(({ file, name }) => ({ name, schemas: schemasOf(file) }));
collect();
const before = process.memoryUsage().heapUsed;
const start = performance.now();
const kept = all.map(({ name, schemas }) => ({ name, compiled: schemas.map((one) => compileSchema(one)) }));
const took = performance.now() - start;
collect();
const idle = process.memoryUsage().heapUsed;
const byName = new Map(kept.map((entry) => [entry.name, entry]));
let used = 0;
for (const { file, crd } of index('objects')) {
  let object;
  try {
    object = yamlOf(read(`objects/${file}`));
  } catch {
    continue;
  }
  for (const one of byName.get(crd)?.compiled ?? []) {
    const copy = deepCopy(object);
    one.prune(copy);
    one.applyDefaults(copy);
    one.validate(copy);
    used++;
  }
}
collect();
const busy = process.memoryUsage().heapUsed;
const kilobytes = (bytes) => `${(bytes / 1024 / kept.length).toFixed(1)} kB`;
console.log(
  `${kept.length} CRDs compiled in ${took.toFixed(0)} ms (${(took / kept.length).toFixed(2)} ms each); ${globalThis.gc ? '' : 'without --expose-gc, roughly, '}${kilobytes(idle - before)} each, and ${kilobytes(busy - before)} after ${used} objects`,
);
