// `instar envtest archive`: the archive that setup-envtest and envtest unpack, and the index that leads to
// it. They put all files of an archive into one directory, so the bundle is beside the programs, and Node
// must be on PATH where they run.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CommandFailure } from '../exit-with-message.ts';
import { bundleDirectory } from './bundle.ts';
import { executable, findOnPath } from './executable.ts';
import { apiServerHelp, etcdHelp } from './help.ts';
import { shimScript } from './shim.ts';
import { type TarFile, tarOf } from './tar.ts';

export interface ArchiveFlags {
  readonly kubernetes: string;
  readonly kubectl?: string;
  readonly url?: string;
}

const FOLDER = 'controller-tools/envtest';
const INDEX = 'envtest-releases.yaml';
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export async function makeArchive(dir: string, flags: ArchiveFlags): Promise<undefined> {
  const version = flags.kubernetes.replace(/^v/, '');
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new CommandFailure(`--kubernetes: ${flags.kubernetes} is not a version such as 1.36.4`);
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const name = `envtest-v${version}-${process.platform}-${architecture}.tar.gz`;
  const archive = await promisify(gzip)(tarOf(await contentsOf(flags.kubectl)));
  await mkdir(dir, { recursive: true });
  const file = join(resolve(dir), name);
  await writeFile(file, archive);
  const index = indexOf(version, name, archive, flags.url ?? pathToFileURL(file).href);
  await writeFile(join(dir, INDEX), index);
  process.stdout.write(`${file}\n${join(resolve(dir), INDEX)}\n`);
}

async function contentsOf(given: string | undefined): Promise<TarFile[]> {
  const bundle = await bundleDirectory();
  const target = { node: 'node', main: '"$(dirname "$0")/main.js"' };
  const program = (name: string, bytes: Uint8Array): TarFile => ({
    name: `${FOLDER}/${name}`,
    mode: 0o755,
    bytes,
  });
  const kubectl = given === undefined ? await findOnPath('kubectl') : await executable(given, '--kubectl');
  const parts = (await readdir(bundle)).sort().map(async (name) => ({
    name: `${FOLDER}/${name}`,
    mode: 0o644,
    bytes: await readFile(join(bundle, name)),
  }));
  return [
    program('kube-apiserver', Buffer.from(shimScript('kube-apiserver', apiServerHelp(), target))),
    program('etcd', Buffer.from(shimScript('etcd', etcdHelp(), target))),
    ...(kubectl === undefined ? [] : [program('kubectl', await readFile(kubectl))]),
    ...(await Promise.all(parts)),
  ];
}

const indexOf = (version: string, name: string, archive: Uint8Array, url: string): string =>
  `releases:
  v${version}:
    ${name}:
      hash: ${createHash('sha512').update(archive).digest('hex')}
      selfLink: ${JSON.stringify(url)}
`;
