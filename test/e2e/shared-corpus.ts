// Real CRDs and objects kept beside the repository. Tests that need them are skipped where they are not; CI
// must have them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const shared = process.env['INSTAR_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const corpus = join(shared, 'corpus');

export const NO_CORPUS = `${corpus} is not there: INSTAR_SHARED can say where it is`;

/** Whether to go without; in CI they run, and fail. */
export const skipWithoutCorpus = !existsSync(corpus) && process.env['CI'] !== 'true';

/**
 * Writes the files of a folder of the corpus to a directory of one's own, unpacked, as kubectl wants them.
 * Answers their names.
 */
export function unpack(folder: string, into: string, keep: (name: string) => boolean = () => true): string[] {
  mkdirSync(into, { recursive: true });
  const names = readdirSync(join(corpus, folder)).filter((name) => /\.yaml(\.gz)?$/.test(name) && keep(name));
  return names.map((name) => {
    const bytes = readFileSync(join(corpus, folder, name));
    const plain = name.replace(/\.gz$/, '');
    writeFileSync(join(into, plain), name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    return plain;
  });
}
