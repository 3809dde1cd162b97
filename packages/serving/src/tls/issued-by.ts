// Whether a chain of certificates leads to one of some authorities. TLS has verified the certificate of a
// client against all that are trusted for anything: this says for what.
import type { X509Certificate } from 'node:crypto';

/** `chain`: the certificate, then those sent with it. Each must be valid, and sign the one before. */
export function isIssuedBy(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now = Date.now(),
): boolean {
  for (const [index, certificate] of chain.entries()) {
    const isLeaf = index === 0;
    if (!isValid(certificate, now) || (!isLeaf && !mayFollow(chain[index - 1]!, certificate))) return false;
    if (authorities.some((authority) => isSame(authority, certificate))) return true;
    const issuer = authorities.find((authority) => mayFollow(certificate, authority));
    if (issuer !== undefined && isValid(issuer, now)) return true;
  }
  return false;
}

const isSame = (one: X509Certificate, other: X509Certificate): boolean =>
  one.fingerprint256 === other.fingerprint256;

const isValid = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now < Date.parse(validTo);

const mayFollow = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
