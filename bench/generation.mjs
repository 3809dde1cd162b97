// The quality of generated objects: for every schema of the corpus, whether valid objects are generated, how
// many attempts that takes and how fast it is. Run after a build: node bench/generation.mjs [--runs N]
// [--only TEXT] [--verbose]. The corpus is in $INSTAR_SHARED, or beside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { arbitraryOf, sample } from '../packages/lens/dist/proof/index.js';
import { parseYaml } from '../packages/machinery/dist/index.js';

const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});
const folder = `${process.env.INSTAR_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url))}/corpus/crds/`;
if (!existsSync(folder)) {
  console.log('generation: skipped, the corpus is missing');
  process.exit(0);
}

/** As a decoder with Go's types returns it: nulls are not set. */
function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === 'default' ? member : withoutNulls(member)]),
  );
}

function definitionOf(file) {
  const bytes = readFileSync(folder + file);
  try {
    return withoutNulls(parseYaml((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).value);
  } catch {
    return undefined;
  }
}

/** The fields of a schema, each once. */
function fieldsOf(schema, found = new Set()) {
  for (const property of Object.values(schema?.properties ?? {})) fieldsOf(property, found.add(property));
  for (const inner of [schema?.items, schema?.additionalProperties])
    if (typeof inner === 'object') fieldsOf(inner, found);
  return found;
}

function seenIn(value, schema, seen) {
  if (Array.isArray(value)) for (const item of value) seenIn(item, schema?.items, seen);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const property = schema?.properties?.[name];
      if (property !== undefined) seen.add(property);
      seenIn(member, property ?? schema?.additionalProperties, seen);
    }
}

const files = readdirSync(folder, { recursive: true }).filter(
  (file) => /\.yaml(\.gz)?$/.test(file) && file.includes(flags.only),
);
const runs = Number(flags.runs);
const totals = {
  schemas: 0,
  good: 0,
  clean: 0,
  objects: 0,
  valid: 0,
  rejected: 0,
  bytes: 0,
  seconds: 0,
  fields: 0,
  seen: 0,
};
for (const file of files.sort()) {
  const definition = definitionOf(file);
  for (const version of definition?.spec?.versions ?? []) {
    const schema = version.schema?.openAPIV3Schema;
    if (schema === undefined) continue;
    const { group, names, scope } = definition.spec;
    const apiVersion = `${group}/${version.name}`;
    const objects = arbitraryOf(schema, { apiVersion, kind: names.kind, namespaced: scope === 'Namespaced' });
    let [valid, bytes, problem] = [0, 0, ''];
    const seen = new Set();
    const start = performance.now();
    for (let run = 0; run < runs; run++) {
      try {
        const [object] = sample(objects, 1, run);
        bytes += JSON.stringify(object, (_, value) =>
          typeof value === 'bigint' ? Number(value) : value,
        ).length;
        seenIn(object, schema, seen);
        valid++;
      } catch (error) {
        problem = error.message;
      }
    }
    const seconds = (performance.now() - start) / 1000;
    const { rejected, leftOut } = objects.statistics;
    totals.schemas++;
    totals.objects += runs;
    totals.valid += valid;
    totals.rejected += rejected;
    totals.bytes += bytes;
    totals.seconds += seconds;
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...body } = schema.properties ?? {};
    const fields = fieldsOf({ properties: body });
    totals.fields += fields.size;
    totals.seen += [...fields].filter((field) => seen.has(field)).length;
    if (valid === runs) totals.good++;
    if (valid === runs && leftOut.size === 0) totals.clean++;
    if (flags.verbose || valid < runs) {
      const per = `${((seconds / runs) * 1000).toFixed(1)} ms each, ${Math.round(bytes / Math.max(valid, 1))} bytes`;
      console.log(
        `${file.replace(/\.yaml(\.gz)?$/, '')} ${version.name}: ${valid} of ${runs} valid, ${rejected} thrown away, ${leftOut.size} kinds of parts left out, ${per}`,
      );
      if (problem !== '') console.log(`    ${problem.slice(0, 400)}`);
      if (flags.verbose)
        for (const [what, times] of leftOut)
          console.log(`    left out ${times} times: ${what.slice(0, 200)}`);
    }
  }
}
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  `${totals.schemas} schemas: valid objects every time for ${totals.good} (${percent(totals.good, totals.schemas)}), with no part ever left out for ${totals.clean} (${percent(totals.clean, totals.schemas)})`,
);
console.log(
  `${totals.objects} objects asked for, ${totals.valid} valid (${percent(totals.valid, totals.objects)}), yield ${percent(totals.valid, totals.valid + totals.rejected)} of attempts; ${Math.round(totals.bytes / totals.valid)} bytes each on average, ${Math.round(totals.valid / totals.seconds)} objects/s`,
);
console.log(
  `${percent(totals.seen, totals.fields)} of the ${totals.fields} fields of these schemas occurred in the ${runs} objects of their schema`,
);
