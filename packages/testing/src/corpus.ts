// Definitions, objects and API tests of other projects, with the verdicts of kube-apiserver. The files belong
// to those projects and are kept beside the repository, in ../shared or in INSTAR_SHARED.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const shared = process.env['INSTAR_SHARED'] ?? fileURLToPath(new URL('../../../../shared', import.meta.url));

/** The folder of the corpus. */
export const CORPUS = join(shared, 'corpus');

/** For describeUnless. */
export function missingCorpus(): string | undefined {
  return existsSync(CORPUS)
    ? undefined
    : `there is no ${CORPUS}; set INSTAR_SHARED to the folder that contains it`;
}

/** The text of a file of the corpus, which may be stored with the suffix .gz. */
export function readCorpus(file: string): string {
  const path = join(CORPUS, file);
  return (existsSync(path) ? unzipped(path) : unzipped(`${path}.gz`)).toString('utf8');
}

/** The YAML files of a folder and those below it, by their paths in the corpus, sorted. */
export function corpusFiles(folder: string): string[] {
  return readdirSync(join(CORPUS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.yaml(\.gz)?$/.test(name))
    .map((name) => join(folder, name.replace(/\.gz$/, '')))
    .sort();
}

/** Writes the YAML files of one folder of the corpus into another, unpacked; returns their names. */
export function unpackCorpus(
  folder: string,
  into: string,
  keep: (name: string) => boolean = () => true,
): string[] {
  mkdirSync(into, { recursive: true });
  const names = readdirSync(join(CORPUS, folder)).filter((name) => /\.yaml(\.gz)?$/.test(name) && keep(name));
  return names.map((name) => {
    const plain = name.replace(/\.gz$/, '');
    writeFileSync(join(into, plain), unzipped(join(CORPUS, folder, name)));
    return plain;
  });
}

const unzipped = (path: string): Buffer =>
  path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
