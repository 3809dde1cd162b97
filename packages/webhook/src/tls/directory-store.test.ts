import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { directoryStore } from './directory-store.ts';
import { caBundleOf, renewed } from './keyring.ts';

const needs = {
  hosts: ['localhost'],
  lifetimes: { caDays: 90, servingDays: 30, overlapSeconds: 60, checkSeconds: 60 },
};
let directory: string;
beforeEach(() => {
  directory = join(temporaryFolder(onTestFinished), 'pki');
});

it('makes the keyring readable by its owner only, the CA by all', async () => {
  const keyring = renewed(undefined, needs);
  expect(await directoryStore(directory).read()).toBeUndefined();
  expect(await directoryStore(directory).write(keyring, undefined)).toBe(true);
  expect((await directoryStore(directory).read())?.keyring).toEqual(keyring);
  expect((await stat(join(directory, 'keyring.json'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(directory, 'ca.crt'), 'utf8')).toBe(caBundleOf(keyring));
});

it('lets the first of several writers win', async () => {
  const stores = Array.from({ length: 5 }, () => directoryStore(directory));
  const written = await Promise.all(stores.map((store) => store.write(renewed(undefined, needs), undefined)));
  expect(written.filter(Boolean)).toHaveLength(1);
});

it('does not overwrite the keyring of another writer', async () => {
  const store = directoryStore(directory);
  await store.write(renewed(undefined, needs), undefined);
  const before = await store.read();
  expect(await store.write(renewed(undefined, needs), before)).toBe(true);
  expect(await store.write(renewed(undefined, needs), before)).toBe(false);
});

it('never replaces a file that it cannot read', async () => {
  const store = directoryStore(directory);
  await store.write(renewed(undefined, needs), undefined);
  for (const text of ['{', '{}', '']) {
    await writeFile(join(directory, 'keyring.json'), text);
    await expect(store.read()).rejects.toThrow(
      'contains no certificates of the webhook kit; remove it to have new ones made',
    );
  }
});
