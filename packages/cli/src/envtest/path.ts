// `instar envtest path`: makes the directory, unless it is there, and prints it.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readlink, rename, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { writePrivateFile } from '@instar/serving';
import { bundleDirectory } from './bundle.ts';
import { executable, findOnPath } from './executable.ts';
import { apiServerHelp, etcdHelp } from './help.ts';
import { quoted, shimScript } from './shim.ts';

export interface PathFlags {
  readonly dir?: string;
  readonly etcd?: string;
  readonly kubectl?: string;
}

/** What the directory has: scripts, and links to programs. */
interface Assets {
  readonly scripts: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
}

export async function printPath(flags: PathFlags): Promise<undefined> {
  const assets = await assetsOf(flags);
  const directory = flags.dir === undefined ? cacheDirectory(assets) : resolve(flags.dir);
  await mkdir(directory, { recursive: true });
  for (const [name, text] of assets.scripts) await writeScript(join(directory, name), text);
  for (const [name, target] of assets.links) await writeLink(join(directory, name), target);
  process.stdout.write(`${directory}\n`);
}

async function assetsOf(flags: PathFlags): Promise<Assets> {
  // Absolute: tests may run with another PATH than npx.
  const target = { node: quoted(process.execPath), main: quoted(join(await bundleDirectory(), 'main.js')) };
  const scripts = new Map([['kube-apiserver', shimScript('kube-apiserver', apiServerHelp(), target)]]);
  const links = new Map<string, string>();
  if (flags.etcd === undefined) scripts.set('etcd', shimScript('etcd', etcdHelp(), target));
  else links.set('etcd', await executable(flags.etcd, '--etcd'));
  const kubectl =
    flags.kubectl === undefined ? await findOnPath('kubectl') : await executable(flags.kubectl, '--kubectl');
  if (kubectl !== undefined) links.set('kubectl', kubectl);
  return { scripts, links };
}

/** Named for what is in it: directories of other releases, or with another etcd, stay as they are. */
function cacheDirectory({ scripts, links }: Assets): string {
  const caches =
    process.env['XDG_CACHE_HOME'] ||
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  const contents = createHash('sha256').update(JSON.stringify([[...scripts], [...links]]));
  return resolve(caches, 'instar/envtest', contents.digest('hex').slice(0, 16));
}

async function writeScript(file: string, text: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => undefined);
  if (present !== text) await writePrivateFile(file, text, 0o755);
}

async function writeLink(file: string, target: string): Promise<void> {
  if ((await readlink(file).catch(() => undefined)) === target) return;
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  await symlink(target, temporary);
  await rename(temporary, file);
}
