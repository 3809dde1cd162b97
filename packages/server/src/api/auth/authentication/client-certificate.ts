// Certificates that the client CA signed: the common name is the user, organizations are the groups.
import { authenticatedUser } from '../users.ts';
import type { RequestAuthenticator } from './verdict.ts';

export const clientCertificates: RequestAuthenticator = {
  authenticate({ clientCertificate }) {
    if (clientCertificate === undefined || clientCertificate.commonName === '') return undefined;
    const { commonName, organizations } = clientCertificate;
    return { user: authenticatedUser(commonName, '', organizations) };
  },
};
