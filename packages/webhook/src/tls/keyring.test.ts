import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caBundleOf, type Keyring, lifetimeOf, renewed } from './keyring.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const lifetimes = { caDays: 90, servingDays: 30, overlapSeconds: 3600, checkSeconds: 60 };
const needs = { hosts: ['hook.default.svc', '127.0.0.1'], lifetimes };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (milliseconds: number): void => {
  vi.setSystemTime(Date.now() + milliseconds);
};
const isTrusted = ({ serving }: Keyring, bundle: Keyring): boolean =>
  bundle.cas.some(({ certificate }) =>
    new X509Certificate(serving.certificate).verify(new X509Certificate(certificate).publicKey),
  );

describe('a keyring', () => {
  it('begins with one CA and a certificate for the hosts', () => {
    const { cas, serving } = renewed(undefined, needs);
    const leaf = new X509Certificate(serving.certificate);
    expect(cas).toHaveLength(1);
    expect([leaf.checkHost('hook.default.svc'), leaf.checkIP('127.0.0.1')]).toEqual([
      'hook.default.svc',
      '127.0.0.1',
    ]);
    expect(leaf.verify(new X509Certificate(cas[0]!.certificate).publicKey)).toBe(true);
  });

  it('stays the same while nothing has to be renewed', () => {
    const keyring = renewed(undefined, needs);
    later(19 * DAY);
    expect(renewed(keyring, needs)).toBe(keyring);
  });

  it('gets a new certificate when a third of its lifetime is left or a host is added', () => {
    const keyring = renewed(undefined, needs);
    const wider = renewed(keyring, { ...needs, hosts: [...needs.hosts, 'other'] });
    expect(wider.cas).toEqual(keyring.cas);
    expect(new X509Certificate(wider.serving.certificate).checkHost('other')).toBe('other');
    later(21 * DAY);
    const fresh = renewed(keyring, needs);
    expect(fresh.cas).toEqual(keyring.cas);
    expect(lifetimeOf(fresh.serving).until).toBeGreaterThan(lifetimeOf(keyring.serving).until);
  });

  it('rotates its CA with an overlap: both are trusted, then the new one signs, then the old one is removed', () => {
    let keyring = renewed(undefined, needs);
    later(61 * DAY);
    const both = renewed(keyring, needs);
    expect(both.cas).toHaveLength(2);
    expect(both.cas[1]).toEqual(keyring.cas[0]);
    expect(isTrusted(both, { ...both, cas: [both.cas[1]!] })).toBe(true);
    later(30 * 60_000);
    expect(renewed(both, needs)).toBe(both);
    later(HOUR);
    const signed = renewed(both, needs);
    expect(signed.cas).toEqual(both.cas);
    expect(isTrusted(signed, { ...signed, cas: [both.cas[0]!] })).toBe(true);
    later(30 * 60_000);
    expect(renewed(signed, needs)).toBe(signed);
    later(HOUR);
    keyring = renewed(signed, needs);
    expect(keyring).toEqual({ cas: [both.cas[0]], serving: signed.serving });
  });

  it('stays trusted by callers that are an hour late, for many rotations', () => {
    const short = { ...needs, lifetimes: { ...lifetimes, caDays: 3, servingDays: 1 } };
    let keyring = renewed(undefined, short);
    const generations = new Set([keyring.cas[0]!.certificate]);
    let before = keyring;
    for (let step = 0; step < 12 * 20; step++) {
      later(2 * HOUR);
      keyring = renewed(keyring, short);
      generations.add(keyring.cas[0]!.certificate);
      // A replica that still serves the certificate of two hours ago, and an API server that still has the
      // bundle of two hours ago.
      if (!isTrusted(before, keyring) || !isTrusted(keyring, before)) expect.unreachable(`at step ${step}`);
      if (lifetimeOf(keyring.serving).until - Date.now() < 5 * HOUR)
        expect.unreachable(`renewal due at step ${step}`);
      before = keyring;
    }
    expect(generations.size).toBeGreaterThan(7);
  });

  it('is created again when everything has expired', () => {
    const keyring = renewed(undefined, needs);
    later(200 * DAY);
    const fresh = renewed(keyring, needs);
    expect(fresh.cas).toHaveLength(1);
    expect(caBundleOf(fresh)).not.toBe(caBundleOf(keyring));
    expect(isTrusted(fresh, fresh)).toBe(true);
  });

  it('never has a certificate that outlives its CA', () => {
    const { cas, serving } = renewed(undefined, { ...needs, lifetimes: { ...lifetimes, servingDays: 365 } });
    expect(lifetimeOf(serving).until).toBeLessThanOrEqual(lifetimeOf(cas[0]!).until);
  });
});
