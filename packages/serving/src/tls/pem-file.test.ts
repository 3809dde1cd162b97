import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { beforeAll, expect, it } from 'vitest';
import { createCa } from './certificate.ts';
import { makeDirectory } from './make-directory.ts';
import { openServingTls } from './serving-tls.ts';

const ca = createCa('files', 1);
const dir = temporaryFolder();
beforeAll(async () => {
  await writeFile(join(dir, 'words'), 'no certificate, just words');
  await writeFile(join(dir, 'crt'), ca.certificate);
  await writeFile(join(dir, 'key'), ca.key);
});

const opened = (files: { certFile?: string; keyFile?: string; clientCaFile?: string }) =>
  openServingTls({
    hosts: [],
    ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(dir, file)])),
  });

it('names a file that does not contain what it should', async () => {
  await expect(opened({ clientCaFile: 'words' })).rejects.toThrow(
    `${join(dir, 'words')} contains no certificate`,
  );
  await expect(opened({ clientCaFile: 'key' })).rejects.toThrow(
    `${join(dir, 'key')} contains no certificate`,
  );
  await expect(opened({ certFile: 'words', keyFile: 'key' })).rejects.toThrow(
    `${join(dir, 'words')} contains no certificate`,
  );
  await expect(opened({ certFile: 'crt', keyFile: 'words' })).rejects.toThrow(
    `${join(dir, 'words')} contains no private key`,
  );
  await expect(opened({ clientCaFile: '.' })).rejects.toMatchObject({ code: 'EISDIR', path: dir });
  expect((await opened({ certFile: 'crt', keyFile: 'key', clientCaFile: 'crt' })).context).toMatchObject({
    cert: ca.certificate,
  });
});

it('creates a directory with its parents, or fails', async () => {
  await makeDirectory(join(dir, 'a', 'b', 'c'));
  await makeDirectory(join(dir, 'a', 'b', 'c'));
  await expect(makeDirectory(join(dir, 'words', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeDirectory(join(dir, 'words'))).rejects.toMatchObject({ code: 'EEXIST' });
  if (process.platform === 'linux')
    await expect(makeDirectory('/proc/x/y')).rejects.toThrow('/proc/x cannot be created');
});
