// Finds out who sends a request: the ways to authenticate in the order of kube-apiserver. A credential that
// is refused by all of them is an error even if none is needed.
import type { ClientCertificate, UserInfo } from '../../wire/exchange.ts';
import { forServerOnly } from './authentication/audiences.ts';
import { bearerTokens } from './authentication/bearer-token.ts';
import { clientCertificates } from './authentication/client-certificate.ts';
import { knownTokens, type TokenUser } from './authentication/known-tokens.ts';
import {
  type Answer,
  type Credentials,
  firstIdentified,
  type RequestAuthenticator,
  type TokenAuthenticator,
} from './authentication/verdict.ts';
import { authenticatedUser, PRIVILEGED_GROUP } from './users.ts';

export interface Authenticator {
  /** Whom the credentials of requests must be meant for. */
  readonly audiences: readonly string[];
  /** Undefined: there is no credential. `audiences`: others than the server's own. */
  authenticate(request: Credentials, audiences?: readonly string[]): Answer;
}

export interface AuthenticationParts {
  readonly adminToken?: string;
  /** What this server calls itself in tokens. */
  readonly audiences?: readonly string[];
  /** Whether a client CA signed a certificate that TLS trusts; without it, all are. */
  readonly isTrustedClient?: (certificate: ClientCertificate) => boolean;
  /** Asked before client certificates. */
  readonly proxies?: readonly RequestAuthenticator[];
  /** Those of --token-auth-file. */
  readonly tokenUsers?: readonly TokenUser[];
  /** Other sorts of tokens, in the order in which they are asked. */
  readonly tokens?: readonly TokenAuthenticator[];
}

const adminUser: UserInfo = authenticatedUser('instar-admin', '', [PRIVILEGED_GROUP]);

export function createAuthenticator({
  adminToken,
  audiences = [],
  isTrustedClient = () => true,
  proxies = [],
  tokenUsers = [],
  tokens = [],
}: AuthenticationParts): Authenticator {
  const admin = adminToken === undefined ? [] : [{ token: adminToken, user: adminUser }];
  const ways: readonly RequestAuthenticator[] = [
    bearerTokens([forServerOnly(audiences, knownTokens(admin))]),
    ...proxies,
    clientCertificates(isTrustedClient),
    bearerTokens([forServerOnly(audiences, knownTokens(tokenUsers)), ...tokens]),
  ];
  return {
    audiences,
    authenticate: (request, wanted = audiences) =>
      firstIdentified(ways, (way) => way.authenticate(request, wanted)),
  };
}
