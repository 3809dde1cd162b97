// The flags of the tokens of service accounts.
import type { ServerOptions } from '@instar/server';
import { InvalidArgumentError, Option } from 'commander';
import { FlagError } from './flag-error.ts';
import { boolean, duration, moreCommas } from './flag-values.ts';

export interface ServiceAccountFlags {
  readonly serviceAccountIssuer?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountMaxTokenExpiration?: number;
  readonly serviceAccountExtendTokenExpiration?: boolean;
  readonly serviceAccountJwksUri?: string;
  readonly serviceAccountLookup?: true;
  readonly apiAudiences?: readonly string[];
  readonly externalHostname?: string;
}

/** Each use of the flag is one more value, which may contain commas. */
const oneMore = (text: string, before: readonly string[] = []): string[] => [...before, text];

const HOUR_MS = 3600 * 1000;
const MAX_MS = 2 ** 32 * 1000;

function maxExpiration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds !== 0 && (milliseconds < HOUR_MS || milliseconds > MAX_MS))
    throw new InvalidArgumentError('It must be between 1 hour and 2^32 seconds.');
  return milliseconds;
}

function jwksUri(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new InvalidArgumentError('It must be an https URL.');
}

function lookup(text: string): true {
  if (boolean(text)) return true;
  throw new InvalidArgumentError(
    'Tokens in secrets are valid only while the secret and its account exist: leave the flag out.',
  );
}

export function serviceAccountOptions(): Option[] {
  return [
    new Option(
      '--service-account-issuer <issuer>',
      'the issuer of tokens; given again, further issuers that are accepted (default: https://kubernetes.default.svc)',
    ).argParser(oneMore),
    new Option(
      '--service-account-signing-key-file <file>',
      'the private key that signs tokens, RSA or ECDSA (default: one that is made in DATA-DIR, or in a shared storage)',
    ),
    new Option(
      '--service-account-key-file <file>',
      'keys that verify tokens, public or private; may be given several times (default: the key that signs)',
    ).argParser(oneMore),
    new Option(
      '--service-account-max-token-expiration <duration>',
      'tokens live no longer, whatever is asked for',
    ).argParser(maxExpiration),
    new Option(
      '--service-account-extend-token-expiration [bool]',
      'the tokens of pods are valid for a year, although they ask for an hour (default: true)',
    )
      .argParser(boolean)
      .preset('true'),
    new Option(
      '--service-account-jwks-uri <url>',
      'where others find the keys, if not at this server',
    ).argParser(jwksUri),
    new Option('--service-account-lookup [bool]').argParser(lookup).preset('true').hideHelp(),
    new Option(
      '--api-audiences <audiences>',
      'whom tokens must be meant for to be accepted (default: the issuers)',
    ).argParser(moreCommas),
    new Option(
      '--external-hostname <host>',
      'where others reach this server, for the document that leads to the keys',
    ),
  ];
}

type TokenOptions = Pick<ServerOptions, 'serviceAccounts' | 'apiAudiences' | 'externalHostname'>;

export function serviceAccountSettings(flags: ServiceAccountFlags): TokenOptions {
  const { serviceAccountIssuer: issuers, apiAudiences, externalHostname } = flags;
  checkIssuers(issuers ?? []);
  const serviceAccounts = {
    ...(issuers !== undefined && { issuers }),
    ...(flags.serviceAccountMaxTokenExpiration !== undefined && {
      maxTokenExpirationSeconds: Math.floor(flags.serviceAccountMaxTokenExpiration / 1000),
    }),
    ...(flags.serviceAccountExtendTokenExpiration !== undefined && {
      extendTokenExpiration: flags.serviceAccountExtendTokenExpiration,
    }),
    ...(flags.serviceAccountJwksUri !== undefined && { jwksUri: flags.serviceAccountJwksUri }),
    signingKeyFile: flags.serviceAccountSigningKeyFile,
    keyFiles: flags.serviceAccountKeyFile,
  };
  return {
    serviceAccounts,
    ...(apiAudiences !== undefined && apiAudiences.length > 0 && { apiAudiences }),
    ...(externalHostname !== undefined && { externalHostname }),
  };
}

function checkIssuers(issuers: readonly string[]): void {
  for (const [index, issuer] of issuers.entries()) {
    if (issuer === '') throw new FlagError('--service-account-issuer must not be empty');
    if (issuer.includes(':') && !URL.canParse(issuer))
      throw new FlagError(`--service-account-issuer ${issuer} contains a ":" and is not a URL`);
    if (issuers.indexOf(issuer) < index)
      throw new FlagError(`--service-account-issuer ${issuer} is given twice`);
  }
}
