// Finds the recordings of kube-apiserver that tests compare with. They stand beside the repository, and are
// not part of it.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const shared =
  process.env['INSTAR_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));

/**
 * Undefined where the material is absent; with CI=true that is an error, so that nothing is skipped unseen.
 */
export function sharedFolder(name: string): string | undefined {
  const folder = `${shared}/${name}`;
  if (existsSync(folder)) return folder;
  if (process.env['CI'] === 'true') throw new Error(`${folder} is missing`);
  return undefined;
}

/** The text of a file that may be stored with .gz behind its name. */
export function readText(file: string): string {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
    : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8');
}
