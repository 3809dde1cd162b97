// package-lock.json must have an integrity for everything that npm downloads, so that a registry cannot
// deliver anything else, and no download addresses, so that any registry can be used.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

/**
 * Binaries of the formatter for other platforms. The registry that the lock file was written with does not
 * have them; scripts/complete-lock.mjs adds their integrity with one that does.
 */
const WITHOUT_INTEGRITY = [
  'android-arm64',
  'android-x64',
  'darwin-arm64',
  'darwin-x64',
  'win32-arm64',
  'win32-x64',
].map((platform) => `node_modules/@biomejs/cli-${platform}@2.6.6`);

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, LockEntry>;
};
const downloaded = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && link !== true,
);

it('has an integrity for every package that is downloaded', () => {
  const missing = downloaded.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  expect(missing.map(([place, { version }]) => `${place}@${version}`)).toEqual(WITHOUT_INTEGRITY);
  expect(missing.filter(([, { dev }]) => dev !== true)).toEqual([]);
});

it('has no download addresses', () => {
  expect(downloaded.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
