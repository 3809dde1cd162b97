// The flags that say who may authenticate by tokens of others.
import { InvalidArgumentError, Option } from 'commander';
import { reviewVersion } from '../authorization/modes.ts';
import { boolean, duration, moreCommas } from '../flag-values.ts';
import { frontProxyOptions } from './front-proxy-flags.ts';

export function authenticationOptions(): Option[] {
  return [
    new Option(
      '--oidc-issuer-url <url>',
      'an issuer of JSON Web Tokens that is trusted (OpenID Connect); https only',
    ),
    new Option('--oidc-client-id <id>', 'the audience that its tokens must have'),
    new Option('--oidc-username-claim <claim>', 'the claim with the name of the user (default: sub)'),
    new Option(
      '--oidc-username-prefix <prefix>',
      "before every such name; '-' for none (default: the URL of the issuer and '#', but none for email)",
    ),
    new Option('--oidc-groups-claim <claim>', 'the claim with the groups: a string or a list'),
    new Option('--oidc-groups-prefix <prefix>', 'before every such group'),
    new Option('--oidc-required-claim <claim=value>', 'what a token must claim; may be repeated').argParser(
      requiredClaim,
    ),
    new Option(
      '--oidc-signing-algs <names>',
      'RS256, ES256, PS256 and the like with 384 and 512 (default: RS256)',
    ).argParser(moreCommas),
    new Option('--oidc-ca-file <file>', 'the CA of the issuer, in place of those that Node trusts'),
    new Option(
      '--authentication-token-webhook-config-file <file>',
      'a kubeconfig that names a webhook that is asked about tokens (TokenReview)',
    ),
    new Option(
      '--authentication-token-webhook-version <version>',
      'of the TokenReviews that are sent: v1 or v1beta1 (default: v1beta1)',
    ).argParser(reviewVersion),
    new Option(
      '--authentication-token-webhook-cache-ttl <duration>',
      'how long the webhook is not asked again about a token (default: 2m)',
    ).argParser(duration),
    new Option(
      '--enable-bootstrap-token-auth [bool]',
      'accept bootstrap tokens, which are secrets of type bootstrap.kubernetes.io/token in kube-system',
    ).argParser(boolean),
    ...frontProxyOptions(),
    new Option(
      '--authentication-config <file>',
      'an AuthenticationConfiguration instead of these flags: several issuers, expressions, paths for anonymous requests; read again when it changes',
    ),
  ];
}

function requiredClaim(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const separator = text.indexOf('=');
  if (separator < 1) throw new InvalidArgumentError('It must be CLAIM=VALUE.');
  return { ...before, [text.slice(0, separator)]: text.slice(separator + 1) };
}
