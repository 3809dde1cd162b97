// The cost of a check: the largest pairs of the corpus history (500 KB and more), parsed, compared by the
// rules, and with validation rules run on generated values; also the executed rule of backwards
// compatibility, and all pairs together. Everything is compared with parsing. Run after a build: node
// bench/check.mjs. The corpus is in $INSTAR_SHARED, or beside the repository.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { check, definitionOf, executeRule } from '../packages/compat/dist/index.js';
import { parseYaml } from '../packages/machinery/dist/index.js';

const corpus = `${process.env.INSTAR_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url))}/corpus/`;
if (!existsSync(corpus)) {
  console.log('check: skipped, the corpus is missing');
  process.exit(0);
}
const read = (file) =>
  (existsSync(corpus + file)
    ? readFileSync(corpus + file)
    : gunzipSync(readFileSync(`${corpus}${file}.gz`))
  ).toString();
const pairs = JSON.parse(read('history/index.json'));

/**
 * CPU time, so that other processes do not count. The first run is what a CI job sees, the best of five what
 * compiled code needs.
 */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function timed(work) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const started = cpu();
    work();
    times.push(cpu() - started);
  }
  return { first: times[0], best: Math.min(...times) };
}

const ms = (time) => `${time.toFixed(0).padStart(5)} ms`;
const large = pairs.filter(({ newBytes }) => newBytes >= 500_000).sort((a, b) => b.newBytes - a.newBytes);
console.log(`${large.length} pairs of 500 KB and more; the five largest, and the smallest of them:`);
for (const pair of [...large.slice(0, 5), large.at(-1)]) {
  const texts = ['old', 'new'].map((side) => read(`history/${pair.dir}/${side}.yaml`));
  let both;
  const parse = timed(() => (both = texts.map((text) => parseYaml(text).value)));
  const rules = timed(() => check(both[0], both[1], { evidence: false }));
  const whole = timed(() => check(both[0], both[1]));
  const executed = timed(() => executeRule(definitionOf(both[0]), definitionOf(both[1])));
  const size = `${(pair.newBytes / 1000).toFixed(0)} KB`;
  console.log(
    `${size.padStart(7)}  parse both ${ms(parse.best)}  rules ${ms(rules.best)} (${(rules.best / parse.best).toFixed(2)} of parsing)  with evidence ${ms(whole.best)} (${(whole.best / parse.best).toFixed(2)})  executed rule ${ms(executed.best)}  first run, parse and check ${ms(parse.first + whole.first)}  ${pair.crd}`,
  );
}

const started = cpu();
let parsing = 0;
for (const { dir } of pairs) {
  const before = cpu();
  const [old, next] = ['old', 'new'].map((side) => parseYaml(read(`history/${dir}/${side}.yaml`)).value);
  parsing += cpu() - before;
  check(old, next);
}
const all = cpu() - started;
console.log(
  `all ${pairs.length} pairs: ${(all / 1000).toFixed(1)} s, of which reading and parsing ${(parsing / 1000).toFixed(1)} s: a check costs ${((all - parsing) / parsing).toFixed(2)} times what parsing costs`,
);
