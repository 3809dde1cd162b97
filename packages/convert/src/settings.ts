// How a webhook is called. Each setting can be set for a definition by an annotation, since its spec has no
// field for it.
import type { CustomResourceDefinition } from '@instar/crd';
import { quoteGo } from '@instar/go';

export interface WebhookSettings {
  /** The most objects in one call, and the most bytes of their JSON (a single object may be larger). */
  readonly batchObjects: number;
  readonly batchBytes: number;
  /** Calls in flight for one request. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** How often a call whose connection broke is retried. */
  readonly retries: number;
}

export const DEFAULT_SETTINGS: WebhookSettings = {
  batchObjects: 250,
  batchBytes: 1024 * 1024,
  concurrency: 4,
  timeoutMs: 30_000,
  retries: 1,
};

/** More calls would wait for each other: it is also the number of connections to one endpoint. */
export const MAX_CONCURRENCY = 16;

const PREFIX = 'conversion.instar.dev/';

interface Allowed {
  readonly least: number;
  readonly most: number;
  readonly otherwise: number;
}

const ALLOWED = {
  'batch-size': { least: 1, most: 10_000, otherwise: DEFAULT_SETTINGS.batchObjects },
  concurrency: { least: 1, most: MAX_CONCURRENCY, otherwise: DEFAULT_SETTINGS.concurrency },
  'timeout-seconds': { least: 1, most: 300, otherwise: DEFAULT_SETTINGS.timeoutMs / 1000 },
  retries: { least: 0, most: 10, otherwise: DEFAULT_SETTINGS.retries },
} satisfies Record<string, Allowed>;

/** Invalid values are ignored; `settingsWarnings` reports them. */
export function settingsOf({ metadata }: CustomResourceDefinition): WebhookSettings {
  const annotations = metadata.annotations ?? {};
  const number = (name: keyof typeof ALLOWED): number => {
    const key = PREFIX + name;
    return (
      (Object.hasOwn(annotations, key) ? parseSetting(annotations[key]!, ALLOWED[name]) : undefined) ??
      ALLOWED[name].otherwise
    );
  };
  return {
    batchObjects: number('batch-size'),
    batchBytes: DEFAULT_SETTINGS.batchBytes,
    concurrency: number('concurrency'),
    timeoutMs: number('timeout-seconds') * 1000,
    retries: number('retries'),
  };
}

/**
 * Texts for Warning headers. `old` is absent for a create; what the old definition already had is not
 * repeated.
 */
export function settingsWarnings(crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const known = new Set(old === undefined ? [] : faultsOf(old));
  return faultsOf(crd).filter((fault) => !known.has(fault));
}

function faultsOf({ metadata }: CustomResourceDefinition): string[] {
  const ours = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.startsWith(PREFIX));
  return ours.sort().flatMap(([key, value]) => faultOf(key, value) ?? []);
}

/** A value can be long. */
const MAX_QUOTED = 64;

function faultOf(key: string, value: string): string | undefined {
  const allowed = new Map<string, Allowed>(Object.entries(ALLOWED)).get(key.slice(PREFIX.length));
  if (allowed === undefined)
    return `metadata.annotations[${key}]: unknown, and has no effect; known are ${Object.keys(ALLOWED).join(', ')}`;
  if (parseSetting(value, allowed) !== undefined) return undefined;
  const { least, most, otherwise } = allowed;
  return `metadata.annotations[${key}]: ${quoteGo(value.slice(0, MAX_QUOTED))} is not a whole number from ${least} to ${most}; the default, ${otherwise}, is used`;
}

function parseSetting(text: string, { least, most }: Allowed): number | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}
