// A proxy with a certificate of its own CA, over TLS, and clients that pretend to be one.
import { writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { type CertificateAndKey, createCa, createLeaf } from '@instar/serving';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = temporaryFolder();
const authority = (commonName: string) => ({ ...createCa(commonName, 2), commonName });
const [proxyCa, clientCa, otherCa] = [authority('proxies'), authority('clients'), authority('others')];
const leaf = (ca: CertificateAndKey & { commonName: string }, commonName: string): CertificateAndKey =>
  createLeaf(ca, { subject: { commonName, organizations: ['dev'] }, usage: 'client', days: 1 });
const proxy = leaf(proxyCa, 'front');

let api: EmbeddedApi;
beforeAll(async () => {
  const [clientCaFile, proxyCaFile] = [join(folder, 'clients.crt'), join(folder, 'proxies.crt')];
  writeFileSync(clientCaFile, clientCa.certificate);
  writeFileSync(proxyCaFile, proxyCa.certificate);
  api = await EmbeddedApi.start({
    clientCaFile,
    frontProxy: {
      clientCaFile: proxyCaFile,
      allowedNames: ['front'],
      usernameHeaders: ['X-Remote-User', 'X-Other-User'],
      uidHeaders: ['X-Remote-Uid'],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    },
  });
});
afterAll(() => api.close());

type Headers = Record<string, string | string[]>;

function whoAmI(own: CertificateAndKey | undefined, headers: Headers) {
  const { hostname, port } = new URL(api.server.url);
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  return new Promise<{ status: number; user: Record<string, unknown> }>((resolve, reject) => {
    const sent = httpsRequest(
      {
        ...{ hostname, port, path, method: 'POST', ca: api.server.caCertificate, agent: false },
        ...(own && { cert: own.certificate, key: own.key }),
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (part: Buffer) => {
          text += String(part);
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, user: JSON.parse(text).status?.userInfo }),
        );
      },
    );
    sent.on('error', reject);
    sent.end('{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}');
  });
}

const ROOT = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };

it('names the user with all groups, the uid and extra, however often a header is repeated', async () => {
  const headers = {
    'x-remote-user': 'jane',
    'X-Remote-Group': ['a', 'b, with comma'],
    'X-Remote-Uid': '7',
    'X-Remote-Extra-Acme.com%2FScope': ['one', 'two'],
  };
  expect(await whoAmI(proxy, headers)).toEqual({
    status: 201,
    user: {
      username: 'jane',
      uid: '7',
      groups: ['a', 'b, with comma', 'system:authenticated'],
      extra: { 'acme.com/scope': ['one', 'two'] },
    },
  });
});

it('names the user by the first header that has a value', async () => {
  const { user } = await whoAmI(proxy, { 'X-Other-User': 'second', 'X-Remote-User': '' });
  expect(user).toMatchObject({ username: 'second' });
});

it('does not make a user that it calls anonymous an authenticated one', async () => {
  const { status } = await whoAmI(proxy, { 'X-Remote-User': 'system:anonymous' });
  expect(status).toBe(403);
});

it.each<[string, CertificateAndKey, number]>([
  ['without headers', proxy, 401],
  ['whose name is not allowed', leaf(proxyCa, 'back'), 401],
  ['that another CA signed', leaf(otherCa, 'front'), 401],
  [
    'that a certificate signed which is no authority',
    leaf({ ...leaf(proxyCa, 'front'), commonName: 'front' }, 'front'),
    401,
  ],
])('refuses a certificate %s', async (what, certificate, status) => {
  expect((await whoAmI(certificate, what === 'without headers' ? {} : ROOT)).status).toBe(status);
});

it('takes a client with a certificate of the client CA as itself, whatever its headers say', async () => {
  const { status, user } = await whoAmI(leaf(clientCa, 'front'), ROOT);
  expect([status, user]).toEqual([
    201,
    {
      username: 'front',
      groups: ['dev', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
      },
    },
  ]);
});

it('ignores the headers of a client without a certificate', async () => {
  expect((await whoAmI(undefined, ROOT)).status).toBe(403);
  const headers = { ...ROOT, authorization: `Bearer ${api.server.adminToken}` };
  expect((await whoAmI(undefined, headers)).user).toMatchObject({ username: 'instar-admin' });
});
