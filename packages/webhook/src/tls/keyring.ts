// The certificates that the kit makes for itself, and when it makes new ones. Without I/O: given the old ones
// and the time, the new ones.
//
// A new CA is made long before the old one expires. It is trusted (both are in the caBundle) for a while
// before anything is signed with it, so that every API server has seen it; and the old one stays trusted for
// a while after, since replicas change over one by one.
import { X509Certificate } from 'node:crypto';
import { type CertificateAndKey, coversHosts, createCa, createLeaf } from '@instar/serving';
import type { Lifetimes } from '../options.ts';

export interface Keyring {
  /** The newest first. */
  readonly cas: readonly CertificateAndKey[];
  readonly serving: CertificateAndKey;
}

export interface Needs {
  readonly hosts: readonly string[];
  readonly lifetimes: Lifetimes;
}

const DAY_MS = 86_400_000;
/** Certificates are valid from a little before they are made. */
const SKEW_MS = 5 * 60_000;
/** Of its life, what is left when a certificate is replaced. */
const RENEW_AT = 1 / 3;

/** The same keyring, if there is nothing to be done. */
export function renewed(
  keyring: Keyring | undefined,
  { hosts, lifetimes }: Needs,
  now = Date.now(),
): Keyring {
  const cas = [...(keyring?.cas ?? [])].filter((ca) => lifeOf(ca).until > now);
  if (cas.length === 0 || isWornOut(cas[0]!, now)) cas.unshift(newCa(lifetimes.caDays, now));
  const isRipe = (pair: CertificateAndKey): boolean =>
    now - lifeOf(pair).from >= lifetimes.overlapSeconds * 1000;
  const signer = cas.find(isRipe) ?? cas.at(-1)!;
  const old = keyring?.serving;
  const keeps =
    old !== undefined &&
    !isWornOut(old, now) &&
    isSignedBy(old, signer) &&
    coversHosts(new X509Certificate(old.certificate), hosts);
  const serving = keeps ? old : newServing(signer, hosts, lifetimes.servingDays, now);
  const trusted = isRipe(serving) && keeps ? cas.slice(0, cas.indexOf(signer) + 1) : cas;
  const isSame =
    keeps &&
    trusted.length === keyring?.cas.length &&
    trusted.every((ca, index) => ca === keyring.cas[index]);
  return isSame ? keyring : { cas: trusted, serving };
}

export const caBundleOf = ({ cas }: Keyring): string => cas.map(({ certificate }) => certificate).join('');

/** From when it was made, which is a little later than what it says. */
export function lifeOf({ certificate }: CertificateAndKey): {
  readonly from: number;
  readonly until: number;
} {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return { from: Date.parse(validFrom) + SKEW_MS, until: Date.parse(validTo) };
}

function isWornOut(pair: CertificateAndKey, now: number): boolean {
  const { from, until } = lifeOf(pair);
  return until - now < (until - from) * RENEW_AT;
}

/** Each CA has a name of its own, so that clients never take one for the other. */
const newCa = (days: number, now: number): CertificateAndKey =>
  createCa(`instar-webhook-ca-${Math.floor(now / 1000)}`, days);

function newServing(
  ca: CertificateAndKey,
  hosts: readonly string[],
  wanted: number,
  now: number,
): CertificateAndKey {
  const { subject } = new X509Certificate(ca.certificate);
  const days = Math.min(wanted, (lifeOf(ca).until - now) / DAY_MS);
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
