import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { SILENT } from '../log/log.ts';
import { createCa, createLeaf } from '../tls/certificate.ts';
import { TlsListener } from './tls-listener.ts';

let listener: TlsListener | undefined;
afterEach(() => listener?.close(0));

function leaf() {
  const ca = { ...createCa('ca', 1), commonName: 'ca' };
  const { key, certificate } = createLeaf(ca, {
    subject: { commonName: 'x' },
    usage: 'server',
    hosts: ['127.0.0.1'],
    days: 1,
  });
  return { key, cert: certificate };
}

async function agreedWith(options: object): Promise<string> {
  const socket = connect({
    host: '127.0.0.1',
    port: listener!.address.port,
    rejectUnauthorized: false,
    ...options,
  });
  await once(socket, 'secureConnect');
  const { standardName } = socket.getCipher();
  socket.destroy();
  return standardName;
}

it('prefers the cipher that is quickest, also with new certificates, and takes the others', async () => {
  listener = await TlsListener.open({
    host: '127.0.0.1',
    port: 0,
    tls: leaf(),
    askForClientCertificate: false,
    keepAliveMs: 60_000,
    requestTimeoutMs: 60_000,
    maxHeaderBytes: 16_384,
    http2: {},
    log: SILENT,
    closesUnread: false,
    onExchange: () => {},
  });
  expect(await agreedWith({})).toBe('TLS_AES_128_GCM_SHA256');
  expect(await agreedWith({ ciphers: 'TLS_AES_256_GCM_SHA384' })).toBe('TLS_AES_256_GCM_SHA384');
  expect(await agreedWith({ maxVersion: 'TLSv1.2' })).toContain('AES');
  listener.setSecureContext(leaf());
  expect(await agreedWith({})).toBe('TLS_AES_128_GCM_SHA256');
});
