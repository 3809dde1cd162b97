// What a server needs before it can listen: certificates, the admin's token and the authenticator, beside the
// authorizer.
import { openAdminToken, openServingTls, readNamed, type ServingTls, servingHosts } from '@instar/serving';
import type { ResolvedOptions } from '../options.ts';
import { forServerOnly } from './authentication/audiences.ts';
import { cachedTokens } from './authentication/cached-tokens.ts';
import { frontProxy } from './authentication/front-proxy.ts';
import type { TokenUser } from './authentication/known-tokens.ts';
import { trustedBy } from './authentication/trusted-certificates.ts';
import type { TokenAuthenticator } from './authentication/verdict.ts';
import { webhookTokens } from './authentication/webhook-tokens.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import type { Authorizer } from './authorizer.ts';
import { parseTokenFile, TokenFileError } from './token-file.ts';

export interface Security {
  readonly tls: ServingTls;
  readonly adminToken: string;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
}

type Options = Pick<
  ResolvedOptions,
  | 'dataDir'
  | 'bindAddress'
  | 'tls'
  | 'clientCaFile'
  | 'tokenAuthFile'
  | 'tokenAuthenticators'
  | 'apiAudiences'
  | 'frontProxy'
  | 'authenticationWebhook'
  | 'sniCertificates'
  | 'tlsMinVersion'
  | 'tlsCiphers'
>;

export async function openSecurity(
  options: Options,
  authorizer: Authorizer,
  tokens: readonly TokenAuthenticator[] = [],
): Promise<Security> {
  const { dataDir, bindAddress, clientCaFile, apiAudiences: audiences } = options;
  const hosts = servingHosts(bindAddress, dataDir === undefined);
  const tls = await openServingTls({
    dataDir,
    hosts,
    certFile: options.tls?.certFile,
    keyFile: options.tls?.keyFile,
    clientCaFile,
    proxyCaFile: options.frontProxy?.clientCaFile,
    named: options.sniCertificates,
    minVersion: options.tlsMinVersion,
    ciphers: options.tlsCiphers,
  });
  const adminToken = await openAdminToken(dataDir);
  const tokenUsers = await tokensIn(options.tokenAuthFile);
  const others = options.tokenAuthenticators.map((sort) => forServerOnly(audiences, cachedTokens(sort)));
  const { authenticationWebhook: webhook } = options;
  const webhooks = webhook === undefined ? [] : [webhookTokens(webhook, audiences)];
  const authenticator = createAuthenticator({
    adminToken,
    audiences,
    isTrustedClient: trustedBy(tls.clientAuthorities),
    proxies: options.frontProxy ? [frontProxy(options.frontProxy, trustedBy(tls.proxyAuthorities))] : [],
    tokenUsers,
    tokens: [...tokens, ...others, ...webhooks],
  });
  return { tls, adminToken, authenticator, authorizer };
}

async function tokensIn(file: string | undefined): Promise<TokenUser[]> {
  if (file === undefined) return [];
  const text = await readNamed(file);
  try {
    return parseTokenFile(text);
  } catch (error) {
    throw error instanceof TokenFileError ? new TokenFileError(`${file}: ${error.message}`) : error;
  }
}
