// Connects what concerns the tokens of service accounts: keys, the issuer, the authenticator and the
// documents for others.
import type { TokenIssuer } from '../../../kinds/builtin/service-account-token.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { RouteTable } from '../../../wire/router.ts';
import type { ResolvedOptions } from '../../options.ts';
import type { TokenAuthenticator } from '../authentication/verdict.ts';
import { findBoundIn } from './bound-objects.ts';
import { issuerRoutes } from './discovery-documents.ts';
import { createTokenIssuer } from './issuer.ts';
import { openKeyRing } from './key-ring.ts';
import type { MarkUsed } from './legacy-tokens.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';

export interface ServiceAccounts {
  readonly issuer: TokenIssuer;
  authenticator(registry: ResourceRegistry, markUsed: MarkUsed): TokenAuthenticator;
  /** `host`: HOST:PORT of this server. */
  routes(host: () => string): RouteTable;
}

export async function openServiceAccounts(options: ResolvedOptions): Promise<ServiceAccounts> {
  const { apiAudiences: audiences, serviceAccounts } = options;
  const { issuers, jwksUri, maxTokenExpirationSeconds = 0, extendTokenExpiration = true } = serviceAccounts;
  const keys = await openKeyRing(serviceAccounts, options);
  const issuer = issuers[0]!;
  return {
    issuer: createTokenIssuer({
      issuer,
      audiences,
      maxExpirationSeconds: maxTokenExpirationSeconds,
      extendsExpiration: extendTokenExpiration,
      keys,
    }),
    authenticator: (registry, markUsed) =>
      new ServiceAccountTokens({ issuers, audiences, keys, find: findBoundIn(registry), markUsed }),
    routes: (host) => issuerRoutes({ issuer, jwksUri, host, keys }),
  };
}
