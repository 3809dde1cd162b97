// Completes package-lock.json from the metadata of the registry: adds the optional packages of other
// platforms, so that `npm ci` works on every platform and with every registry, and the integrity of every
// entry that has none. Run it after a change of dependencies; it changes nothing else. It fails if the
// registry does not know an integrity: run it again with one that does.
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

/** Packages for one platform have it in their name: @scope/tool-linux-arm64-musl. */
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
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined || !/^\d/.test(version)) continue;
    lock.packages[path] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
    added++;
  }
}

const unknown = [];
let completed = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || entry.link || entry.integrity !== undefined) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = integrityOf(name, entry.version);
  if (integrity === '') unknown.push(`${name}@${entry.version}`);
  else {
    const { version, ...rest } = entry;
    lock.packages[path] = { version, integrity, ...rest };
    completed++;
  }
}

const root = lock.packages[''];
lock.packages = {
  '': root,
  ...Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
};
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages added, ${completed} integrities added`);
if (unknown.length > 0) {
  console.error(`The registry does not know the integrity of ${unknown.join(', ')}`);
  process.exitCode = 1;
}
