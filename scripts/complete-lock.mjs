// Adds to package-lock.json the optional packages of other platforms that the registry at hand did not have,
// so that `npm ci` works on every platform and against every registry, and the integrity of every entry that
// has none, from the registry's metadata. Run it after a change of dependencies; it changes nothing else. It
// fails if the registry does not know an integrity: run it again with one that does.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** Packages for one platform carry it in their name: @scope/tool-linux-arm64-musl. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

/** Empty if the registry does not have the package in this version. */
function integrityOf(name, version) {
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' });
  return stdout.trim();
}

let added = 0;
for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] !== undefined || !/^\d/.test(version)) continue;
    lock.packages[place] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
    added++;
  }
}

const unknown = [];
let completed = 0;
for (const [place, entry] of Object.entries(lock.packages)) {
  if (!place.includes('node_modules/') || entry.link || entry.integrity !== undefined) continue;
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = integrityOf(name, entry.version);
  if (integrity === '') unknown.push(`${name}@${entry.version}`);
  else {
    const { version, ...rest } = entry;
    lock.packages[place] = { version, integrity, ...rest };
    completed++;
  }
}

const root = lock.packages[''];
lock.packages = {
  '': root,
  ...Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([place]) => place !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
};
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages added, ${completed} integrities added`);
if (unknown.length > 0) {
  console.error(`The registry does not know the integrity of ${unknown.join(', ')}`);
  process.exitCode = 1;
}
