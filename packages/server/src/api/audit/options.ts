// Options of audit: what is recorded, and where it goes. Both flags and embedders give these.
import type { AuditPolicy } from './policy.ts';

/**
 * `batch`: events wait in a buffer, and are lost when it is full. `blocking`: requests wait until their
 * events are delivered. `blocking-strict`: and fail if the first one cannot be.
 */
type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** How events wait in the mode `batch`. */
export interface AuditBatchOptions {
  /** Events that may wait; further ones are lost and counted. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** After so long an incomplete batch is sent. */
  readonly maxWaitMs: number;
  /** Batches per second, and how many may be sent at once after a pause. */
  readonly throttle?: { readonly qps: number; readonly burst: number } | undefined;
}

export interface AuditTruncateOptions {
  /** Events that are longer lose their bodies, or are lost. */
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}

interface AuditBackendOptions {
  readonly mode: AuditMode;
  readonly batch: AuditBatchOptions;
  readonly truncate?: AuditTruncateOptions | undefined;
}

/** A file, or standard output. */
export interface AuditLogOptions extends AuditBackendOptions {
  /** `-` is standard output. */
  readonly path: string;
  readonly format: 'json' | 'legacy';
  /** Days that rotated files are kept; 0: forever. */
  readonly maxAgeDays: number;
  /** How many rotated files are kept; 0: all. */
  readonly maxBackups: number;
  /** When the file is rotated; 0: never. */
  readonly maxMegabytes: number;
  readonly compress: boolean;
}

/** A webhook that receives EventLists. The network is passed in. */
export interface AuditWebhookOptions extends AuditBackendOptions {
  readonly initialBackoffMs: number;
  /** Sends an EventList in JSON; rejects if it was not accepted. */
  send(body: string): Promise<void>;
}

/** Which requests are recorded, and where. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly log?: AuditLogOptions | undefined;
  readonly webhook?: AuditWebhookOptions | undefined;
}
