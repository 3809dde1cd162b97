// The certificates that the kit makes itself, and when it renews them. Without I/O: from the old ones and the
// time to the new ones.
//
// A new CA is made long before the old one expires. It is trusted (both are in the caBundle) for some time
// before it signs anything, so that every API server has seen it; and the old one stays trusted for some time
// after, since replicas switch one by one.
import { X509Certificate } from 'node:crypto';
import { type CertificateAndKey, coversHosts, createCa, createLeaf } from '@instar/serving';
import type { Lifetimes } from '../options.ts';

export interface Keyring {
  /** Newest first. */
  readonly cas: readonly CertificateAndKey[];
  readonly serving: CertificateAndKey;
}

export interface KeyringNeeds {
  readonly hosts: readonly string[];
  readonly lifetimes: Lifetimes;
}

const DAY_MS = 86_400_000;
/** Certificates are valid from a little before they are made. */
const SKEW_MS = 5 * 60_000;
/** A certificate is renewed when this share of its lifetime is left. */
const RENEWAL_SHARE = 1 / 3;

/** Returns the same keyring if nothing has to be renewed. */
export function renewed(
  keyring: Keyring | undefined,
  { hosts, lifetimes }: KeyringNeeds,
  now = Date.now(),
): Keyring {
  const cas = [...(keyring?.cas ?? [])].filter((ca) => lifetimeOf(ca).until > now);
  if (cas.length === 0 || isRenewalDue(cas[0]!, now)) cas.unshift(newCa(lifetimes.caDays, now));
  const isKnownEverywhere = (pair: CertificateAndKey): boolean =>
    now - lifetimeOf(pair).from >= lifetimes.overlapSeconds * 1000;
  const signer = cas.find(isKnownEverywhere) ?? cas.at(-1)!;
  const old = keyring?.serving;
  const keeps =
    old !== undefined &&
    !isRenewalDue(old, now) &&
    isSignedBy(old, signer) &&
    coversHosts(new X509Certificate(old.certificate), hosts);
  const serving = keeps ? old : newServing(signer, hosts, lifetimes.servingDays, now);
  const trusted = isKnownEverywhere(serving) && keeps ? cas.slice(0, cas.indexOf(signer) + 1) : cas;
  const isSame =
    keeps &&
    trusted.length === keyring?.cas.length &&
    trusted.every((ca, index) => ca === keyring.cas[index]);
  return isSame ? keyring : { cas: trusted, serving };
}

export const caBundleOf = ({ cas }: Keyring): string => cas.map(({ certificate }) => certificate).join('');

/** `from` is when it was made, a little later than validFrom. */
export function lifetimeOf({ certificate }: CertificateAndKey): {
  readonly from: number;
  readonly until: number;
} {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return { from: Date.parse(validFrom) + SKEW_MS, until: Date.parse(validTo) };
}

function isRenewalDue(pair: CertificateAndKey, now: number): boolean {
  const { from, until } = lifetimeOf(pair);
  return until - now < (until - from) * RENEWAL_SHARE;
}

/** Each CA has a unique name, so that clients cannot confuse them. */
const newCa = (days: number, now: number): CertificateAndKey =>
  createCa(`instar-webhook-ca-${Math.floor(now / 1000)}`, days);

function newServing(
  ca: CertificateAndKey,
  hosts: readonly string[],
  maxDays: number,
  now: number,
): CertificateAndKey {
  const { subject } = new X509Certificate(ca.certificate);
  const days = Math.min(maxDays, (lifetimeOf(ca).until - now) / DAY_MS);
  const commonName = subject.replace(/^CN=/, '');
  return createLeaf(
    { ...ca, commonName },
    { subject: { commonName: hosts[0] ?? 'webhook' }, usage: 'server', hosts, days },
  );
}

function isSignedBy(serving: CertificateAndKey, ca: CertificateAndKey): boolean {
  const [leaf, authority] = [new X509Certificate(serving.certificate), new X509Certificate(ca.certificate)];
  return leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}
