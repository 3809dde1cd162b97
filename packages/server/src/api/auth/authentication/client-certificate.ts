// Certificates that the client CA signed: the common name is the user, organizations are the groups. A
// certificate that is not trusted is refused, rather than ignored.
import type { ApiRequest } from '../../../wire/exchange.ts';
import { authenticatedUser, CREDENTIAL_ID } from '../users.ts';
import type { RequestAuthenticator, Verdict } from './verdict.ts';

type Certificate = NonNullable<ApiRequest['clientCertificate']>;

/** `isTrusted`: by the authorities of clients, as they are now. */
export function clientCertificates(isTrusted: (certificate: Certificate) => boolean): RequestAuthenticator {
  return {
    authenticate({ clientCertificate }): Verdict {
      if (clientCertificate === undefined) return undefined;
      const { commonName, organizations, fingerprint, fault } = clientCertificate;
      if (fault !== undefined || !isTrusted(clientCertificate))
        return { refused: [`verifying certificate failed: ${fault ?? 'it is not signed by a client CA'}`] };
      if (commonName === '') return undefined;
      const user = authenticatedUser(commonName, '', organizations);
      return { user: { ...user, extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] } } };
    },
  };
}
