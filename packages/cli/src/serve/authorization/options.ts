// The flags that say how requests are authorized.
import { Option } from 'commander';
import { duration } from '../flag-values.ts';
import { authorizationModes, reviewVersion } from './modes.ts';

export function authorizationOptions(): Option[] {
  return [
    new Option(
      '--authorization-mode <modes>',
      'RBAC, Webhook, AlwaysAllow, AlwaysDeny: a list, asked in this order (default: RBAC)',
    ).argParser(authorizationModes),
    new Option(
      '--authorization-webhook-config-file <file>',
      'for the mode Webhook: a kubeconfig that names it',
    ),
    new Option(
      '--authorization-webhook-version <version>',
      'of the SubjectAccessReviews that are sent: v1 or v1beta1 (default: v1beta1)',
    ).argParser(reviewVersion),
    new Option(
      '--authorization-webhook-cache-authorized-ttl <duration>',
      'how long the webhook is not asked again about what it allowed (default: 5m)',
    ).argParser(duration),
    new Option(
      '--authorization-webhook-cache-unauthorized-ttl <duration>',
      'the same for what it did not allow (default: 30s)',
    ).argParser(duration),
    new Option(
      '--authorization-config <file>',
      'an AuthorizationConfiguration instead of these flags; several webhooks are possible',
    ),
  ];
}
