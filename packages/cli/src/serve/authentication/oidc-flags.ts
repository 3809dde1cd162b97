// The --oidc-* flags as the settings of one issuer, with the errors of kube-apiserver.
import { aggregateMessage } from '@instar/machinery';
import { readCertificates } from '@instar/serving';
import { FlagError } from '../flag-error.ts';
import type { ServeFlags } from '../flags.ts';
import { type JwtSettings, SIGNING_ALGORITHMS } from './jwt-settings.ts';
import { validateAuthentication } from './validate-settings.ts';

/** Undefined: none of them is set. */
export async function oidcSettings(
  flags: ServeFlags,
  serviceAccountIssuers: readonly string[],
): Promise<JwtSettings | undefined> {
  if (!Object.keys(flags).some((name) => name.startsWith('oidc') && flags[name] !== undefined))
    return undefined;
  if (flags.authenticationConfig !== undefined)
    throw new FlagError('authentication-config file and oidc-* flags are mutually exclusive');
  const { oidcIssuerUrl: url = '', oidcClientId: clientId = '', oidcCaFile } = flags;
  if (url === '' || clientId === '')
    throw new FlagError(
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    );
  const settings = settingsOf(flags, url, clientId);
  const withAuthority =
    oidcCaFile === undefined
      ? settings
      : {
          ...settings,
          issuer: { ...settings.issuer, certificateAuthority: await readCertificates(oidcCaFile) },
        };
  const faults = validateAuthentication({ jwt: [withAuthority] }, serviceAccountIssuers);
  if (faults.length > 0)
    throw new FlagError(`invalid authentication configuration: ${aggregateMessage(faults)}`);
  return withAuthority;
}

function settingsOf(flags: ServeFlags, url: string, clientId: string): JwtSettings {
  const { oidcUsernameClaim: claim = 'sub', oidcGroupsClaim: groups = '', oidcRequiredClaim } = flags;
  return {
    issuer: { url, audiences: [clientId] },
    claimValidationRules: Object.entries(oidcRequiredClaim ?? {}).map(([name, requiredValue]) => ({
      claim: name,
      requiredValue,
    })),
    claimMappings: {
      username: { claim, prefix: usernamePrefix(flags.oidcUsernamePrefix ?? '', claim, url) },
      ...(groups !== '' && { groups: { claim: groups, prefix: flags.oidcGroupsPrefix ?? '' } }),
    },
  };
}

/** Without one, all names but e-mail addresses have that of the issuer; "-" is none. */
function usernamePrefix(given: string, claim: string, url: string): string {
  if (given === '-') return '';
  return given === '' && claim !== 'email' ? `${url}#` : given;
}

export function signingAlgorithms(flags: ServeFlags): readonly string[] {
  const given = flags.oidcSigningAlgs ?? ['RS256'];
  const wrong = given.find((algorithm) => !SIGNING_ALGORITHMS.includes(algorithm));
  if (wrong !== undefined) throw new FlagError(`oidc: unsupported signing alg: ${JSON.stringify(wrong)}`);
  return given;
}
