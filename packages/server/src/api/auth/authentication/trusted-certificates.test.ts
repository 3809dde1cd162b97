import { X509Certificate } from 'node:crypto';
import { createCa, createLeaf } from '@instar/serving';
import { expect, it } from 'vitest';
import { trustedBy } from './trusted-certificates.ts';

const DAY_MS = 86_400_000;
const authority = (commonName: string) => ({ ...createCa(commonName, 10), commonName });
const [clients, others] = [authority('clients'), authority('others')];
const roots = (...all: { certificate: string }[]) =>
  all.map(({ certificate }) => new X509Certificate(certificate));

function clientOf(ca: ReturnType<typeof authority>) {
  const { certificate } = createLeaf(ca, { subject: { commonName: 'jane' }, usage: 'client', days: 1 });
  const chain = [new X509Certificate(certificate)];
  return { commonName: 'jane', organizations: [], fingerprint: '', chain: () => chain };
}

it('trusts a certificate of one of the authorities only', () => {
  const isTrusted = trustedBy(() => roots(others, clients));
  expect(isTrusted(clientOf(clients))).toBe(true);
  expect(trustedBy(() => roots(others))(clientOf(clients))).toBe(false);
  expect(trustedBy(() => [])(clientOf(clients))).toBe(false);
});

it('trusts no authority of the same name', () => {
  expect(trustedBy(() => roots(authority('clients')))(clientOf(clients))).toBe(false);
});

it('follows a change of the authorities while a connection is open', () => {
  let trusted = roots(clients);
  const isTrusted = trustedBy(() => trusted);
  const certificate = clientOf(clients);
  expect(isTrusted(certificate)).toBe(true);
  trusted = roots(others);
  expect(isTrusted(certificate)).toBe(false);
  trusted = roots(clients);
  expect(isTrusted(certificate)).toBe(true);
});

it('stops when the certificate ends, and does not begin before it does', () => {
  let now = Date.now();
  const trusted = roots(clients);
  const isTrusted = trustedBy(
    () => trusted,
    () => now,
  );
  const certificate = clientOf(clients);
  expect(isTrusted(certificate)).toBe(true);
  now += DAY_MS + 1000;
  expect(isTrusted(certificate)).toBe(false);
  now -= 3 * DAY_MS;
  expect(isTrusted(clientOf(clients))).toBe(false);
});
