// How requests are authenticated beside tokens and certificates of the server's own, as the flags say.

import { BACKGROUND_CLOCK, type Log } from '@instar/serving';
import type { EmbeddedServerOptions } from '../../start-server.ts';
import { reviewSender } from '../authorization/open-authorizers.ts';
import { FlagError } from '../flag-error.ts';
import type { ServeFlags } from '../flags.ts';
import { frontProxyOf } from './front-proxy-flags.ts';
import { Issuers } from './issuers.ts';
import type { AnonymousSettings } from './jwt-settings.ts';
import { oidcSettings, signingAlgorithms } from './oidc-flags.ts';

/** Of service accounts. */
const DEFAULT_ISSUERS = ['https://kubernetes.default.svc'];

type Authentication = Pick<
  EmbeddedServerOptions,
  'tokenAuthenticators' | 'anonymousAuth' | 'frontProxy' | 'authenticationWebhook'
>;

export async function openAuthentication(flags: ServeFlags, log: Log): Promise<Authentication> {
  const frontProxy = await frontProxyOf(flags);
  return {
    ...(await openIssuers(flags, log)),
    ...(frontProxy !== undefined && { frontProxy }),
    ...(await openWebhook(flags)),
  };
}

const WEBHOOK_TIMEOUT_MS = 30_000;
const WEBHOOK_TTL_MS = 120_000;

async function openWebhook(flags: ServeFlags): Promise<Authentication> {
  const { authenticationTokenWebhookConfigFile: file, authenticationTokenWebhookVersion: version } = flags;
  if (file === undefined) return {};
  return {
    authenticationWebhook: {
      version: version ?? 'v1beta1',
      cacheTtlMs: flags.authenticationTokenWebhookCacheTtl ?? WEBHOOK_TTL_MS,
      send: await reviewSender(file, WEBHOOK_TIMEOUT_MS),
    },
  };
}

async function openIssuers(flags: ServeFlags, log: Log): Promise<Authentication> {
  const serviceAccountIssuers = flags.serviceAccountIssuer ?? DEFAULT_ISSUERS;
  const settings = await oidcSettings(flags, serviceAccountIssuers);
  const common = { log, clock: BACKGROUND_CLOCK };
  if (settings !== undefined) {
    const algorithms = signingAlgorithms(flags);
    return { tokenAuthenticators: [new Issuers({ settings: { jwt: [settings] }, algorithms, ...common })] };
  }
  const file = flags.authenticationConfig;
  if (file === undefined) return {};
  const issuers = await Issuers.ofFile(file, { ...common, serviceAccountIssuers });
  const { anonymous } = issuers.settings;
  if (anonymous !== undefined && flags.anonymousAuth !== undefined)
    throw new FlagError(
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    );
  return {
    tokenAuthenticators: [issuers],
    ...(anonymous !== undefined && { anonymousAuth: anonymousAuthOf(anonymous) }),
  };
}

function anonymousAuthOf({ enabled, conditions = [] }: AnonymousSettings): boolean | { paths: string[] } {
  return enabled && conditions.length > 0 ? { paths: conditions.map(({ path }) => path) } : enabled;
}
