// From a request to a user of the API: over HTTP, with the certificate that the server signs.
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { createCa, createRequest } from '@instar/serving';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const SIGNER = 'kubernetes.io/kube-apiserver-client';
const folder = temporaryFolder();
let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
});
afterAll(() => api.close());

async function create(name: string, spec: object = {}, server = api) {
  const { certificate, key } = createRequest({ commonName: 'jane', organizations: ['dev', 'ops'] });
  const request = Buffer.from(certificate).toString('base64');
  const { status, body } = await server.send('POST', CSRS, {
    metadata: { name },
    spec: { request, signerName: SIGNER, usages: ['client auth'], ...spec },
  });
  expect([status, body.message]).toEqual([201, undefined]);
  return key;
}

async function decide(name: string, type: string, server = api): Promise<void> {
  const { body } = await server.send('GET', `${CSRS}/${name}`);
  body.status.conditions = [{ type, status: 'True', reason: 'Test' }];
  expect((await server.send('PUT', `${CSRS}/${name}/approval`, body)).status).toBe(200);
}

async function statusOnce(name: string, holds: (status: Status) => boolean, server = api): Promise<Status> {
  let status: Status = {};
  await eventually(`the status of ${name}`, async () => {
    status = (await server.send('GET', `${CSRS}/${name}`)).body.status;
    return holds(status);
  });
  return status;
}

interface Status {
  readonly certificate?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

const certificateOf = ({ certificate = '' }: Status): string => Buffer.from(certificate, 'base64').toString();

function whoAmI(cert: string, key: string, server = api): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.server.url);
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const options = { hostname, port, path, method: 'POST', ca: server.server.caCertificate, headers };
    const sent = httpsRequest({ ...options, cert, key, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end('{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}');
  });
}

describe('an approved request', () => {
  it('becomes a certificate with which its holder is that user', async () => {
    const key = await create('jane');
    await decide('jane', 'Approved');
    const cert = certificateOf(await statusOnce('jane', ({ certificate }) => certificate !== undefined));
    const { status, text } = await whoAmI(cert, key);
    expect(status).toBe(201);
    expect(JSON.parse(text).status.userInfo).toMatchObject({
      username: 'jane',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
  });

  it('gets the time that it asks for', async () => {
    await create('short', { expirationSeconds: 900 });
    await decide('short', 'Approved');
    const status = await statusOnce('short', ({ certificate }) => certificate !== undefined);
    const { validFrom, validTo } = new X509Certificate(certificateOf(status));
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBe((900 + 300) * 1000);
  });

  it.each([
    ['another usage', ['client auth', 'server auth'], 'invalid usage for client certificate: server auth'],
    ['too few', ['digital signature'], 'missing required usage for client certificate: client auth'],
  ])('with %s fails', async (what, usages, message) => {
    const name = what.replace(' ', '-');
    await create(name, { usages });
    await decide(name, 'Approved');
    const status = await statusOnce(name, ({ conditions = [] }) => conditions.length > 1);
    expect(status.conditions?.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'SignerValidationFailure',
      message,
    });
    expect(status.certificate).toBeUndefined();
  });
});

describe('no certificate is signed for', () => {
  it.each([
    ['a request that was denied', 'denied', {}, 'Denied'],
    ['another signer', 'other', { signerName: 'example.com/other' }, 'Approved'],
  ])('%s', async (_what, name, spec, decision) => {
    await create(name, spec);
    await decide(name, decision);
    // A request that is signed, decided later, shows that the signer has seen this one.
    await create(`${name}-later`);
    await decide(`${name}-later`, 'Approved');
    await statusOnce(`${name}-later`, ({ certificate }) => certificate !== undefined);
    expect((await statusOnce(name, () => true)).certificate).toBeUndefined();
  });
});

it('signs with the authority of the files, whose certificates count if they are trusted', async () => {
  const ca = createCa('corporate', 30);
  const [certFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  writeFileSync(certFile, ca.certificate);
  writeFileSync(keyFile, ca.key, { mode: 0o600 });
  const other = await EmbeddedApi.start({
    clusterSigning: { certFile, keyFile },
    clientCaFile: certFile,
    clusterSigningMs: 3_600_000,
  });
  try {
    const key = await create('jane', {}, other);
    await decide('jane', 'Approved', other);
    const status = await statusOnce('jane', ({ certificate }) => certificate !== undefined, other);
    const cert = certificateOf(status);
    expect(new X509Certificate(cert).issuer).toBe('CN=corporate');
    expect(Date.parse(new X509Certificate(cert).validTo)).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect((await whoAmI(cert, key, other)).status).toBe(201);
    expect((await whoAmI(cert, key)).text).not.toContain('"jane"');
  } finally {
    await other.close();
  }
});
