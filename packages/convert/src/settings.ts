// How a webhook is called. Each can be set for one definition by an annotation of it, since the specification has no field for them.
import type { CustomResourceDefinition } from '@instar/crd';

export interface WebhookSettings {
  /** Objects in one call at most, and bytes of their JSON at most (a single object may be larger). */
  readonly batchObjects: number;
  readonly batchBytes: number;
  /** Calls under way at once for one request. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** How often a call whose connection broke is made again. */
  readonly retries: number;
}

export const DEFAULT_SETTINGS: WebhookSettings = {
  batchObjects: 250,
  batchBytes: 1024 * 1024,
  concurrency: 4,
  timeoutMs: 30_000,
  retries: 1,
};

const PREFIX = 'conversion.instar.dev/';

/** What makes no sense is not obeyed. */
export function settingsOf({ metadata }: CustomResourceDefinition, defaults: WebhookSettings = DEFAULT_SETTINGS): WebhookSettings {
  const annotations = metadata.annotations ?? {};
  const number = (name: string, least: number, most: number, otherwise: number): number => {
    const text = Object.hasOwn(annotations, PREFIX + name) ? annotations[PREFIX + name]! : '';
    return /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : otherwise;
  };
  return {
    batchObjects: number('batch-size', 1, 10_000, defaults.batchObjects),
    batchBytes: defaults.batchBytes,
    concurrency: number('concurrency', 1, 64, defaults.concurrency),
    timeoutMs: number('timeout-seconds', 1, 300, defaults.timeoutMs / 1000) * 1000,
    retries: number('retries', 0, 10, defaults.retries),
  };
}
