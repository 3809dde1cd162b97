// Remembers for which authorities a client certificate was found good, until they change: a chain is followed
// once per connection, and its end is checked with every request.
import type { X509Certificate } from 'node:crypto';
import { isIssuedBy } from '@instar/serving';
import type { ApiRequest } from '../../../wire/exchange.ts';

type Certificate = NonNullable<ApiRequest['clientCertificate']>;
type Authorities = readonly X509Certificate[];

export function trustedBy(
  authorities: () => Authorities,
  now: () => number = Date.now,
): (certificate: Certificate) => boolean {
  const known = new WeakMap<Certificate, { readonly by: Authorities; readonly until: number }>();
  return (certificate) => {
    const by = authorities();
    let found = known.get(certificate);
    if (found?.by !== by) {
      const chain = certificate.chain();
      found = { by, until: isIssuedBy(chain, by, now()) ? endOf(chain) : 0 };
      known.set(certificate, found);
    }
    return now() < found.until;
  };
}

const endOf = ([leaf]: readonly X509Certificate[]): number => Date.parse(leaf!.validTo);
