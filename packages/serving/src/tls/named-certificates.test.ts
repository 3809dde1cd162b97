import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { temporaryFolder } from '@instar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TlsListener } from '../listen/tls-listener.ts';
import { SILENT } from '../log/log.ts';
import { createCa, createLeaf } from './certificate.ts';
import { openServingTls } from './serving-tls.ts';

const folder = temporaryFolder();
const ca = { ...createCa('names', 2), commonName: 'names' };

function files(name: string, hosts: readonly string[], names: readonly string[] = []) {
  const leaf = createLeaf(ca, { subject: { commonName: name }, usage: 'server', hosts, days: 1 });
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(certFile, leaf.certificate);
  writeFileSync(keyFile, leaf.key, { mode: 0o600 });
  return { certFile, keyFile, names };
}

let listener: TlsListener;
beforeAll(async () => {
  const tls = await openServingTls({
    hosts: ['localhost', '127.0.0.1'],
    named: [files('own', ['own.io', '*.wild.io']), files('given', [], ['own.io', 'x.wild.io'])],
    minVersion: 'TLSv1.3',
  });
  listener = await TlsListener.open({
    host: '127.0.0.1',
    port: 0,
    tls: tls.context,
    contextFor: tls.contextFor,
    askForClientCertificate: true,
    keepAliveMs: 1000,
    requestTimeoutMs: 1000,
    maxHeaderBytes: 8192,
    http2: {},
    closesUnread: false,
    onExchange: () => {},
    log: SILENT,
  });
});
afterAll(() => listener.close(0));

function served(servername: string, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = listener.address;
    const socket = connect(
      { host: '127.0.0.1', port, servername, rejectUnauthorized: false, ...options },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

describe('a client that asks for', () => {
  it.each([
    ['a name that was given, before that of a certificate', 'own.io', 'given'],
    ['a whole name, before a pattern', 'X.wild.io', 'given'],
    ['a name that a pattern of a certificate covers', 'y.wild.io', 'own'],
    ['a name two levels below a pattern', 'a.y.wild.io', 'instar'],
    ['any other name', 'other.io', 'instar'],
  ])('%s gets the right certificate', async (_what, name, commonName) => {
    expect(await served(name)).toBe(commonName);
  });

  it('too old a version is refused, whatever name it asks for', async () => {
    await expect(served('own.io', { maxVersion: 'TLSv1.2' })).rejects.toThrow();
    await expect(served('other.io', { maxVersion: 'TLSv1.2' })).rejects.toThrow();
  });
});

it('does not start with a key of another certificate', async () => {
  const [one, two] = [files('one', ['one.io']), files('two', ['two.io'])];
  const open = (named: object) => openServingTls({ hosts: ['localhost'], named: [named as typeof one] });
  await expect(open({ ...one, keyFile: two.keyFile })).rejects.toThrow('is not the key of');
});
