import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { eventually, temporaryFolder } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SILENT } from '../log/log.ts';
import { kubeconfigText, openAdminToken } from './admin-credential.ts';
import { createCa, createLeaf } from './certificate.ts';
import { ephemeralPki, openPki } from './own-pki.ts';
import { openServingTls } from './serving-tls.ts';

let dir: string;
beforeEach(async () => {
  dir = temporaryFolder(onTestFinished);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const HOSTS = ['localhost', '127.0.0.1', '::1', 'fe80::1:2', 'kubernetes.default.svc'];

describe('certificates', () => {
  const ca = { ...createCa('test-ca', 10), commonName: 'test-ca' };

  it('are valid for the names and addresses they were made for', () => {
    const leaf = new X509Certificate(
      createLeaf(ca, { subject: { commonName: 'x' }, usage: 'server', hosts: HOSTS, days: 1 }).certificate,
    );
    const authority = new X509Certificate(ca.certificate);
    expect(authority.ca).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.verify(authority.publicKey)).toBe(true);
    expect(leaf.checkIssued(authority)).toBe(true);
    for (const name of ['localhost', 'kubernetes.default.svc']) expect(leaf.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '::1', 'fe80::1:2']) expect(leaf.checkIP(address)).toBe(address);
    expect(leaf.checkHost('example.com')).toBeUndefined();
  });

  it.skipIf(!hasOpenssl)('satisfy openssl (where that command is installed)', async () => {
    const leaf = createLeaf(ca, {
      subject: { commonName: 'jane', organizations: ['dev', 'öps'] },
      usage: 'client',
      days: 4000,
    });
    await writeFile(join(dir, 'ca.crt'), ca.certificate);
    await writeFile(join(dir, 'leaf.crt'), leaf.certificate);
    const openssl = (...args: string[]) =>
      execFileSync('openssl', args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
    expect(
      openssl(
        'verify',
        '-x509_strict',
        '-purpose',
        'sslclient',
        '-CAfile',
        'ca.crt',
        '-attime',
        String(Math.floor(Date.now() / 1000)),
        'leaf.crt',
      ),
    ).toContain('OK');
    expect(
      openssl('x509', '-in', 'leaf.crt', '-noout', '-subject', '-nameopt', 'utf8,sep_comma_plus'),
    ).toContain('O=dev,O=öps,CN=jane');
  });
});

describe('the PKI of a data directory', () => {
  it('is stored with keys that only the owner can read', async () => {
    const first = await openPki(dir, HOSTS);
    expect(await openPki(dir, HOSTS)).toEqual(first);
    expect((await stat(join(dir, 'pki', 'ca.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, 'pki', 'serving.key'))).mode & 0o777).toBe(0o600);
    createSecureContext({ cert: first.serving.certificate, key: first.serving.key });
  });

  it('gets a new serving certificate for a new name', async () => {
    const first = await openPki(dir, ['localhost']);
    const second = await openPki(dir, ['localhost', '10.1.2.3']);
    expect(second.ca).toEqual(first.ca);
    expect(new X509Certificate(second.serving.certificate).checkIP('10.1.2.3')).toBe('10.1.2.3');
  });

  it('renews certificates that are about to expire, the CA with its old key', async () => {
    const { ca } = await openPki(dir, ['localhost']);
    const old = createCa('instar-ca', 30, ca.key);
    const serving = createLeaf(
      { ...old, commonName: 'instar-ca' },
      { subject: { commonName: 'instar' }, usage: 'server', hosts: ['localhost'], days: 5 },
    );
    await writeFile(join(dir, 'pki', 'ca.crt'), old.certificate);
    await writeFile(join(dir, 'pki', 'serving.crt'), serving.certificate);
    await writeFile(join(dir, 'pki', 'serving.key'), serving.key);
    const renewed = await openPki(dir, ['localhost']);
    expect(renewed.ca.key).toBe(ca.key);
    expect(renewed.ca.certificate).not.toBe(old.certificate);
    expect(renewed.serving.certificate).not.toBe(serving.certificate);
    expect(
      new X509Certificate(renewed.serving.certificate).verify(new X509Certificate(old.certificate).publicKey),
    ).toBe(true);
  });

  it.each(['ca.crt', 'ca.key', 'serving.crt', 'serving.key'])(
    'is an error that names %s when it is damaged',
    async (name) => {
      await openPki(dir, ['localhost']);
      await writeFile(join(dir, 'pki', name), 'rubbish');
      await expect(openPki(dir, ['localhost'])).rejects.toThrow(join(dir, 'pki', name));
    },
  );

  it('is an error that names the file which cannot be read', async () => {
    const path = join(dir, 'pki', 'ca.crt');
    await mkdir(path, { recursive: true });
    await expect(openPki(dir, ['localhost'])).rejects.toMatchObject({ path });
  });

  describe('made at another time', () => {
    const NOW = Date.parse('2026-06-01T00:00:00Z');
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
    afterEach(() => void vi.useRealTimers());
    const madeAt = (time: string) => {
      vi.setSystemTime(Date.parse(time));
      return openPki(dir, ['localhost']);
    };

    it('names the file that is not valid yet with a remedy that keeps the key', async () => {
      const { ca } = await madeAt('2027-01-01T00:05:00Z');
      vi.setSystemTime(NOW);
      const file = join(dir, 'pki', 'ca.crt');
      await expect(openPki(dir, ['localhost'])).rejects.toThrow(
        `${file} is not valid before 2027-01-01T00:00:00Z, and the clock of this machine says ` +
          '2026-06-01T00:00:00Z: set the clock or delete the file: it is made again with the same key',
      );
      await rm(file);
      const again = await openPki(dir, ['localhost']);
      expect(again.ca.key).toBe(ca.key);
      expect(Date.parse(new X509Certificate(again.ca.certificate).validFrom)).toBeLessThan(NOW);
    });

    it('gets a new serving certificate if that one is not valid yet', async () => {
      await madeAt('2026-05-01T00:00:00Z');
      await rm(join(dir, 'pki', 'serving.crt'));
      const ahead = await madeAt('2026-12-01T00:00:00Z');
      vi.setSystemTime(NOW);
      const { ca, serving } = await openPki(dir, ['localhost']);
      expect(ca).toEqual(ahead.ca);
      expect(Date.parse(new X509Certificate(serving.certificate).validFrom)).toBeLessThan(NOW);
    });

    it('is renewed if all of it has expired, with the key of the CA', async () => {
      const old = await madeAt('2010-01-01T00:00:00Z');
      vi.setSystemTime(NOW);
      const { ca, serving } = await openPki(dir, ['localhost']);
      expect(ca.key).toBe(old.ca.key);
      for (const { certificate } of [ca, serving])
        expect(Date.parse(new X509Certificate(certificate).validTo)).toBeGreaterThan(NOW);
    });

    it('is an error that names the file if the operator gave it', async () => {
      const { serving } = await madeAt('2010-01-01T00:00:00Z');
      const [certFile, keyFile] = [join(dir, 'a.crt'), join(dir, 'a.key')];
      await writeFile(certFile, serving.certificate);
      await writeFile(keyFile, serving.key);
      vi.setSystemTime(NOW);
      await expect(openServingTls({ hosts: ['localhost'], certFile, keyFile })).rejects.toThrow(
        new RegExp(`${certFile} expired at 2011-01-01T00:00:00Z, .*: set the clock or renew the certificate`),
      );
    });
  });

  it('stores the token of the admin', async () => {
    await openPki(dir, ['localhost']);
    const token = await openAdminToken(dir);
    expect(await openAdminToken(dir)).toBe(token);
    expect((await stat(join(dir, 'pki', 'admin.token'))).mode & 0o777).toBe(0o600);
    expect(await openAdminToken(undefined)).not.toBe(token);
  });
});

it('shares certificates between servers of one process', () => {
  expect(ephemeralPki(['localhost'])).toBe(ephemeralPki(['localhost']));
});

it('reloads certificate files when they change', async () => {
  const ca = { ...createCa('test-ca', 10), commonName: 'test-ca' };
  const [certFile, keyFile] = [join(dir, 'a.crt'), join(dir, 'a.key')];
  const write = async (): Promise<string> => {
    const { certificate, key } = createLeaf(ca, {
      subject: { commonName: 'x' },
      usage: 'server',
      hosts: ['localhost'],
      days: 1,
    });
    await writeFile(keyFile, key);
    await writeFile(certFile, certificate);
    return certificate;
  };
  const first = await write();
  const tls = await openServingTls({ hosts: [], certFile, keyFile }, 10);
  expect(tls.context.cert).toBe(first);
  let seen: unknown;
  const watch = tls.watch((context) => (seen = context.cert), SILENT);
  const second = await write();
  // The first check of the files might come after this change.
  let seconds = 0;
  const touch = () => utimes(certFile, new Date(), new Date(Date.now() + ++seconds * 1000));
  await eventually('the new certificate', async () => {
    if (seen !== second) await touch();
    return seen === second;
  });
  watch.stop();
});

it('refuses a key that does not belong to the certificate', async () => {
  const ca = createCa('test-ca', 10);
  const [certFile, keyFile] = [join(dir, 'a.crt'), join(dir, 'a.key')];
  await writeFile(certFile, ca.certificate);
  await writeFile(keyFile, createCa('other', 1).key);
  await expect(openServingTls({ hosts: [], certFile, keyFile })).rejects.toThrow(/key/);
  expect(await readFile(certFile, 'utf8')).toBe(ca.certificate);
});

it('writes a kubeconfig that names the server, its CA and the admin', () => {
  const text = kubeconfigText('https://127.0.0.1:6443', 'PEM', 'tok');
  expect(text).toContain('    server: https://127.0.0.1:6443\n');
  expect(text).toContain(`    certificate-authority-data: ${Buffer.from('PEM').toString('base64')}\n`);
  expect(text).toContain('    token: tok\n');
});
