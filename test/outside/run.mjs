// Runs programs of other projects against the built command: `node test/outside/run.mjs [SUITE…]`.
//
// A suite is a module suites/NAME.mjs whose default export is { name, needs, run }. `needs` lists programs
// that must be on PATH; without them the suite is skipped, and fails in CI unless it is `isOptional`. A suite
// that is `onlyByName` runs only if it is named: it takes longer than CI has. One that is `inPartUnlessNamed`
// has more specs when it is named (`isNamed` of the context). `run(context)` returns its specs:
// [{ name, status: 'passed' | 'failed' | 'skipped', message? }]. What is not green is listed with a reason in
// expected/NAME.json, { "spec": "reason" }; anything else that is not green fails the run.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Context } from './context.mjs';
import { readExpected, unexpectedIn } from './expected.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  // For the tests of this runner.
  options: { folder: { type: 'string', default: fileURLToPath(new URL('.', import.meta.url)) } },
});

const isCi = process.env.CI === 'true';
const available = readdirSync(join(options.folder, 'suites'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .sort();

const unknown = positionals.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  console.error(`there is no suite ${unknown.join(', ')}; there are: ${available.join(', ')}`);
  process.exit(2);
}

const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, program)));

/** The specs of a suite, or why it did not run. */
async function specsOf(suite) {
  const missing = suite.needs.filter((program) => !onPath(program));
  if (missing.length > 0) return { skipped: `there is no ${missing.join(', no ')} on PATH` };
  const context = new Context(suite.name, positionals.includes(suite.name));
  try {
    return { specs: await suite.run(context) };
  } catch (error) {
    return {
      specs: [{ name: 'the suite itself', status: 'failed', message: String(error?.stack ?? error) }],
    };
  } finally {
    await context.close();
  }
}

/** Runs one suite, prints how its specs ended, and returns whether that is as expected. */
async function passes(name) {
  const { default: suite } = await import(pathToFileURL(join(options.folder, 'suites', `${name}.mjs`)).href);
  if (suite.onlyByName && positionals.length === 0) {
    console.log(`${name}: not run, because it takes long: name it to run it`);
    return true;
  }
  const began = Date.now();
  const { specs, skipped } = await specsOf(suite);
  if (skipped !== undefined) {
    const isAllowed = !isCi || suite.isOptional === true;
    console.log(`${name}: skipped: ${skipped}${isAllowed ? '' : ', which CI does not allow'}`);
    return isAllowed;
  }
  const count = (status) => specs.filter((spec) => spec.status === status).length;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(
    `${name}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped (${seconds} s)`,
  );
  const isPart = suite.inPartUnlessNamed === true && !positionals.includes(name);
  const expected = readExpected(join(options.folder, 'expected', `${name}.json`));
  const unexpected = unexpectedIn(specs, expected, isPart);
  for (const line of unexpected) console.log(`  ${line}`);
  return unexpected.length === 0;
}

let failed = 0;
for (const name of positionals.length > 0 ? positionals : available) if (!(await passes(name))) failed++;
if (failed > 0) console.log(`${failed} of the suites did not end as expected`);
process.exitCode = failed === 0 ? 0 : 1;
