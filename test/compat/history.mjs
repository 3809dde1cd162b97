// Checks every pair of the corpus history (one CRD in two consecutive releases) and prints: counts by rule
// and severity, timings, the findings of the controls, what no rule handled, and where crdify's recorded
// verdict differs. Run after a build: node test/compat/history.mjs [--only TEXT] [--json FILE]. The corpus is
// in $INSTAR_SHARED, or beside the repository.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { check, semverVerdict } from '../../packages/compat/dist/index.js';
import { parseYaml } from '../../packages/machinery/dist/index.js';
import { crdifyDisagreements } from './crdify.mjs';

const corpus = `${process.env.INSTAR_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url))}/corpus/`;
const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
const read = (file) =>
  (existsSync(corpus + file)
    ? readFileSync(corpus + file)
    : gunzipSync(readFileSync(`${corpus}${file}.gz`))
  ).toString();

const index = JSON.parse(read('history/index.json')).filter(
  ({ dir }) => values.only === undefined || dir.includes(values.only),
);
const recorded = new Map(JSON.parse(read('verdicts/history.json')).map((verdict) => [verdict.dir, verdict]));
const isControl = ({ changes }) =>
  changes.every((change) => change === 'descriptions' || change === 'metadataOnly');

/** CPU time in milliseconds, so that other processes do not count. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const results = index.map((pair) => {
  const started = cpu();
  const [old, next] = ['old', 'new'].map((side) => parseYaml(read(`history/${pair.dir}/${side}.yaml`)).value);
  const parsed = cpu();
  try {
    const findings = check(old, next);
    return {
      ...pair,
      findings,
      semver: semverVerdict(findings),
      parse: parsed - started,
      took: cpu() - parsed,
    };
  } catch (error) {
    return { ...pair, findings: [], crash: error, parse: parsed - started, took: cpu() - parsed };
  }
});

const SEVERITIES = ['breaking', 'unsure', 'caution', 'safe'];
const counts = new Map();
for (const { findings } of results) {
  for (const { rule, severity, scope } of findings) {
    const key = scope === 'served-versions' ? `${rule} (served versions)` : rule;
    const row = counts.get(key) ?? { pairs: new Set(), breaking: 0, unsure: 0, caution: 0, safe: 0 };
    row[severity]++;
    counts.set(key, row);
  }
}
console.log(`${'rule'.padEnd(44)}${SEVERITIES.map((severity) => severity.padStart(10)).join('')}`);
for (const [rule, row] of [...counts].sort((a, b) => a[0].localeCompare(b[0]))) {
  console.log(
    `${rule.padEnd(44)}${SEVERITIES.map((severity) => String(row[severity] || '').padStart(10)).join('')}`,
  );
}

const times = results.map(({ took }) => took).sort((a, b) => a - b);
const slowest = results.reduce((a, b) => (b.took > a.took ? b : a));
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
console.log(`\npairs ${results.length}, crashes ${results.filter(({ crash }) => crash).length}`);
for (const { dir, crash } of results.filter((result) => result.crash))
  console.log(`  ${dir}: ${crash.stack}`);
console.log(
  `processor time of a check: median ${times[times.length >> 1].toFixed(1)} ms, longest ${slowest.took.toFixed(0)} ms (${slowest.dir}), all ${(sum(times) / 1000).toFixed(1)} s; parsing all ${(sum(results.map(({ parse }) => parse)) / 1000).toFixed(1)} s`,
);
const bumps = { none: 0, patch: 0, minor: 0, major: 0 };
for (const { semver } of results) if (semver) bumps[semver.bump]++;
console.log(
  `semver: ${Object.entries(bumps)
    .map(([bump, count]) => `${bump} ${count}`)
    .join(', ')}`,
);
const controls = results.filter(isControl);
const bad = controls.filter(({ findings }) =>
  findings.some(({ severity }) => severity === 'breaking' || severity === 'unsure'),
);
console.log(`controls ${controls.length}, ${bad.length} of them with a breaking finding`);
const unhandled = results.flatMap(({ dir, findings }) =>
  findings
    .filter(({ rule }) => rule === 'unhandled')
    .map((finding) => `  ${dir}: ${finding.path} ${finding.message}`),
);
console.log(`unhandled ${unhandled.length}`);
for (const line of unhandled.slice(0, 20)) console.log(line);

const report = crdifyDisagreements(results, recorded);
console.log(`\n${report.text}`);
if (values.json)
  writeFileSync(
    values.json,
    JSON.stringify(
      results.map(({ dir, findings, semver, took }) => ({ dir, findings, semver, took })),
      null,
      1,
    ),
  );
if (bad.length > 0 || results.some(({ crash }) => crash)) process.exitCode = 1;
