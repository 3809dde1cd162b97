// Spellings of the first proposals for conversion webhooks, which never shipped. Users of those get the names
// that did.
import { quoteGo } from '@instar/go';
import type { RequestVersion } from './validate/options.ts';

const STRATEGIES: ReadonlyMap<string, string> = new Map([
  ['nop', 'None'],
  ['external', 'Webhook'],
]);

/** Undefined for a strategy that no draft had. */
export function draftStrategyHint(strategy: string): string | undefined {
  const name = STRATEGIES.get(strategy);
  return name === undefined ? undefined : hint(strategy, name);
}

const FIELDS: Readonly<Record<RequestVersion, ReadonlyMap<string, string>>> = {
  v1: new Map([['spec.conversion.webhook.client_config', 'spec.conversion.webhook.clientConfig']]),
  v1beta1: new Map([
    ['spec.conversion.webhook', 'spec.conversion.webhookClientConfig'],
    ['spec.conversion.client_config', 'spec.conversion.webhookClientConfig'],
  ]),
};

/** For warnings about an unknown field at `path`: names the right field, if a draft had this one. */
export function draftFieldHint(path: string, request: RequestVersion = 'v1'): string | undefined {
  const name = FIELDS[request].get(path);
  return name === undefined ? undefined : hint(path, name);
}

const hint = (draft: string, shipped: string): string =>
  `${quoteGo(draft)} is the spelling of an early draft, use ${quoteGo(shipped)}`;
