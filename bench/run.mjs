// Runs every benchmark of this folder serially, each in its own process. `npm run bench -- store cel` runs
// some of them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.replace('.mjs', ''));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark named ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n## ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', `${folder}${name}.mjs`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
