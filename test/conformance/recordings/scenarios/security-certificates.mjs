// Certificate signing requests, which a server without controllers stores, approves and denies, but does not
// sign.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { as, clean, grant, lean, MERGE, names, rule, user } from './helpers/security.mjs';

const URL = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
let made;
/**
 * One request and one certificate, made by openssl; they differ from run to run and are taken out of the
 * answers.
 */
function pem() {
  if (made) return made;
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-csr-'));
  const at = (f) => path.join(dir, f);
  execFileSync(
    'openssl',
    [
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      at('k'),
      '-out',
      at('csr'),
      '-subj',
      '/O=devs/CN=jane',
    ],
    { stdio: 'pipe' },
  );
  execFileSync(
    'openssl',
    ['req', '-x509', '-key', at('k'), '-out', at('crt'), '-days', '30', '-subj', '/O=devs/CN=jane'],
    { stdio: 'pipe' },
  );
  made = {
    request: fs.readFileSync(at('csr')).toString('base64'),
    certificate: fs.readFileSync(at('crt')).toString('base64'),
  };
  fs.rmSync(dir, { recursive: true });
  return made;
}
const shown = (b) =>
  JSON.parse(
    JSON.stringify(lean(b))
      .replaceAll(pem().request, '<request>')
      .replaceAll(pem().certificate, '<certificate>')
      .replace(/"lastUpdateTime":"[^"]*"/g, '"lastUpdateTime":"<time>"'),
  );
const csr = (name, spec = {}, rest = {}) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: { request: pem().request, signerName: 'conf.example.com/signer', usages: ['client auth'], ...spec },
  ...rest,
});

export async function requests(t) {
  await clean(t, `${URL}/conf-sec-a`, `${URL}/conf-sec-b`, `${URL}/conf-sec-c`);
  const jane = { ...as('jane', { groups: ['devs', 'system:masters'], uid: 'u1', extra: { a: ['b'] } }) };
  await t.step('create', 'POST', URL, { headers: jane, body: csr('conf-sec-a'), pick: shown });
  await t.step('whoever asks is written down, whatever is said', 'POST', URL, {
    headers: jane,
    body: csr('conf-sec-b', { username: 'root', groups: ['x'], uid: 'y', extra: { z: ['z'] } }),
    pick: shown,
  });
  await t.step('with a status', 'POST', `${URL}?dryRun=All`, {
    headers: jane,
    body: csr('conf-sec-c', {}, { status: { conditions: [{ type: 'Approved', status: 'True' }] } }),
    pick: shown,
  });
  await t.step('get', 'GET', `${URL}/conf-sec-a`, { pick: shown });
  await t.step('as a table', 'GET', `${URL}/conf-sec-a`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      columns: b.columnDefinitions.map((c) => [c.name, c.type, c.priority]),
      cells: b.rows.map((r) => r.cells.filter((_, i) => b.columnDefinitions[i].name !== 'Age')),
    }),
  });
  await t.step('list by signer', 'GET', `${URL}?fieldSelector=spec.signerName%3Dconf.example.com/signer`, {
    pick: names,
  });
  await t.step('list by another field', 'GET', `${URL}?fieldSelector=spec.username%3Djane`);
  await t.step('its spec cannot change', 'PATCH', `${URL}/conf-sec-a`, {
    body: { spec: { signerName: 'conf.example.com/other', usages: ['server auth'] } },
    type: MERGE,
    pick: shown,
  });
  await t.step('labels can', 'PATCH', `${URL}/conf-sec-a`, {
    body: { metadata: { labels: { a: 'b' } } },
    type: MERGE,
    pick: (b) => b.metadata.labels,
  });
  await t.step('delete', 'DELETE', `${URL}/conf-sec-a`);
  const bad = async (label, spec) =>
    t.step(label, 'POST', `${URL}?dryRun=All`, {
      headers: jane,
      body: csr('conf-sec-c', spec),
      pick: (b) => ({ ...shown(b).spec, request: undefined }),
    });
  await bad('no request', { request: undefined });
  await bad('a request that is no PEM', { request: Buffer.from('hello').toString('base64') });
  const res = await t.client.request('POST', `${URL}?dryRun=All`, {
    headers: jane,
    body: csr('conf-sec-c', { request: pem().certificate }),
  });
  t.note('a certificate for a request', { status: res.status, body: shown(res.body) });
  await bad('a request that is no base64', { request: '%%%' });
  await bad('no signer', { signerName: undefined });
  for (const s of [
    'signer',
    'example.com/',
    '/x',
    'example.com/a/b',
    'Example.com/x',
    'example.com/UPPER',
    'nodots/x',
    'kubernetes.io/legacy-unknown',
    'kubernetes.io/unheard-of',
  ])
    await bad(`the signer ${s}`, { signerName: s });
  await bad('no usages', { usages: undefined });
  await bad('empty usages', { usages: [] });
  await bad('an unknown usage', { usages: ['client auth', 'flying'] });
  await bad('a usage twice', { usages: ['client auth', 'client auth'] });
  await bad('several usages are sorted or not', {
    usages: ['server auth', 'digital signature', 'client auth'],
  });
  await bad('a lifetime', { expirationSeconds: 3600 });
  await bad('the shortest', { expirationSeconds: 600 });
  await bad('too short', { expirationSeconds: 599 });
  await bad('the kubelet signer, for who is no node', {
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  });
  await bad('the client signer, for system:masters', { signerName: 'kubernetes.io/kube-apiserver-client' });
  await t.step('an unknown field', 'POST', `${URL}?fieldValidation=Strict`, {
    headers: jane,
    body: csr('conf-sec-c', { more: 1 }),
  });
  await t.step('v1beta1', 'GET', '/apis/certificates.k8s.io/v1beta1');
}

export async function approval(t) {
  const url = `${URL}/conf-sec-appr`;
  await clean(t, url, `${URL}/conf-sec-deny`);
  await t.setup('POST', URL, {
    body: csr('conf-sec-appr'),
    headers: as('jane', { groups: ['system:masters'] }),
  });
  await t.setup('POST', URL, {
    body: csr('conf-sec-deny'),
    headers: as('jane', { groups: ['system:masters'] }),
  });
  const live = () => t.setup('GET', url);
  const put = async (label, conditions, sub = 'approval', headers = {}) =>
    t.step(label, 'PUT', `${url}/${sub}`, {
      headers,
      body: { ...(await live()), status: { conditions } },
      pick: (b) => shown(b).status,
    });
  const approved = { type: 'Approved', status: 'True', reason: 'Fine', message: 'it is fine' };
  await t.step('get of the approval', 'GET', `${url}/approval`, { pick: (b) => shown(b).status });
  await put('no conditions', []);
  await put('without a type', [{ status: 'True' }]);
  await put('without a status', [{ type: 'Approved' }]);
  await put('Approved with status False', [{ type: 'Approved', status: 'False' }]);
  await put('an unknown status', [{ type: 'Other', status: 'Maybe' }]);
  await put('Approved and Denied', [approved, { type: 'Denied', status: 'True' }]);
  await put('Approved twice', [approved, approved]);
  await t.step('Failed by the approval', 'PUT', `${url}/approval?dryRun=All`, {
    body: { ...(await live()), status: { conditions: [{ type: 'Failed', status: 'True' }] } },
    pick: (b) => shown(b).status,
  });
  await put('Approved is not for the status', [approved], 'status');
  await grant(
    t,
    undefined,
    'conf-sec-approver',
    [
      rule(
        'certificates.k8s.io',
        [
          'certificatesigningrequests',
          'certificatesigningrequests/approval',
          'certificatesigningrequests/status',
        ],
        ['get', 'update'],
      ),
    ],
    user('conf-approver'),
  );
  await put('who may not approve for this signer', [approved], 'approval', as('conf-approver'));
  await put('nor set the status for it', [{ type: 'Failed', status: 'True' }], 'status', as('conf-approver'));
  await grant(
    t,
    undefined,
    'conf-sec-approve-signer',
    [rule('certificates.k8s.io', 'signers', 'approve', { resourceNames: ['conf.example.com/*'] })],
    user('conf-approver'),
  );
  await put('who may', [approved], 'approval', as('conf-approver'));
  await put('Approved cannot be taken back', []);
  await put('nor become Denied', [{ type: 'Denied', status: 'True' }]);
  await put('its reason can change', [{ ...approved, reason: 'Other' }]);
  await put('more conditions', [approved, { type: 'conf.example.com/Seen', status: 'Unknown' }]);
  await t.step('status: a certificate', 'PATCH', `${url}/status`, {
    body: { status: { certificate: pem().certificate } },
    type: MERGE,
    pick: (b) => shown(b).status,
  });
  await t.step('status: the certificate cannot change', 'PATCH', `${url}/status`, {
    body: { status: { certificate: Buffer.from('x').toString('base64') } },
    type: MERGE,
  });
  await t.step('status: Failed with a certificate', 'PUT', `${url}/status`, {
    body: await live().then((l) => ({
      ...l,
      status: { ...l.status, conditions: [...l.status.conditions, { type: 'Failed', status: 'True' }] },
    })),
    pick: (b) => shown(b).status,
  });
  const deny = `${URL}/conf-sec-deny`;
  await t.step('deny by patch', 'PATCH', `${deny}/approval`, {
    body: { status: { conditions: [{ type: 'Denied', status: 'True', reason: 'No' }] } },
    type: MERGE,
    pick: (b) => shown(b).status,
  });
  await t.step('a certificate that is none', 'PATCH', `${deny}/status`, {
    body: { status: { certificate: Buffer.from('x').toString('base64') } },
    type: MERGE,
  });
  await t.step('POST to the approval', 'POST', `${deny}/approval`, { body: {} });
  await t.step('approval of one that does not exist', 'PUT', `${URL}/conf-none/approval`, {
    body: csr('conf-none', {}, { status: { conditions: [approved] } }),
  });
}
