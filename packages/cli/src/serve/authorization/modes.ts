// --authorization-mode and the flags of its webhook, as for kube-apiserver, with its errors.
import { quoteGo } from '@instar/go';
import { InvalidArgumentError } from 'commander';
import { FlagError } from '../flag-error.ts';
import type { ServeFlags } from '../flags.ts';

/** How to reach a webhook that authorizes, and for how long its answers are valid. */
export interface WebhookSettings {
  readonly type: 'Webhook';
  /** Undefined: the API server that this process runs in a pod of. */
  readonly kubeconfigFile: string | undefined;
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMs: number;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
}

export type AuthorizerSettings = { readonly type: 'AlwaysAllow' | 'AlwaysDeny' | 'RBAC' } | WebhookSettings;

/** How long an answer of the webhook of the flags may take. */
const FLAG_WEBHOOK_TIMEOUT_MS = 30_000;

const MODES: ReadonlySet<string> = new Set(['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Webhook']);

/** Modes that exist, and why they are refused. */
export const REFUSED_MODES: ReadonlyMap<string, string> = new Map([
  ['Node', 'the mode Node decides for kubelets by their pods, and there are no nodes here'],
  ['ABAC', 'the mode ABAC is not supported: use RBAC'],
]);

export function authorizationModes(text: string): readonly string[] {
  const modes = text.split(',');
  for (const [index, mode] of modes.entries()) {
    const refusal = REFUSED_MODES.get(mode);
    if (refusal !== undefined) throw new InvalidArgumentError(refusal);
    if (!MODES.has(mode))
      throw new InvalidArgumentError(`authorization-mode ${quoteGo(mode)} is not a valid mode`);
    if (modes.indexOf(mode) !== index) {
      const all = modes.map((one) => quoteGo(one)).join(' ');
      throw new InvalidArgumentError(`authorization-mode [${all}] has mode specified more than once`);
    }
  }
  return modes;
}

export function reviewVersion(text: string): 'v1' | 'v1beta1' {
  if (text === 'v1' || text === 'v1beta1') return text;
  throw new InvalidArgumentError('It must be v1 or v1beta1.');
}

/** Undefined: --authorization-config says it. */
export function authorizersOf(flags: ServeFlags): readonly AuthorizerSettings[] | undefined {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile: file } = flags;
  const webhookFlags = Object.keys(flags).filter(
    (name) => name.startsWith('authorizationWebhook') && flags[name] !== undefined,
  );
  if (authorizationConfig !== undefined) {
    if (authorizationMode === undefined && webhookFlags.length === 0) return undefined;
    throw new FlagError(
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    );
  }
  const modes = authorizationMode ?? ['RBAC'];
  if (modes.includes('Webhook') && file === undefined)
    throw new FlagError("authorization-mode Webhook's authorization config file not passed");
  if (!modes.includes('Webhook') && file !== undefined)
    throw new FlagError('cannot specify --authorization-webhook-config-file without mode Webhook');
  return modes.map((type) => (type === 'Webhook' ? webhookOf(flags) : ({ type } as AuthorizerSettings)));
}

function webhookOf(flags: ServeFlags): WebhookSettings {
  return {
    type: 'Webhook',
    kubeconfigFile: flags.authorizationWebhookConfigFile,
    version: flags.authorizationWebhookVersion ?? 'v1beta1',
    timeoutMs: FLAG_WEBHOOK_TIMEOUT_MS,
    authorizedTtlMs: flags.authorizationWebhookCacheAuthorizedTtl ?? 300_000,
    unauthorizedTtlMs: flags.authorizationWebhookCacheUnauthorizedTtl ?? 30_000,
    failurePolicy: 'NoOpinion',
  };
}
