// Where audit events go. Backends wrap each other: truncating, buffering, and at the end a log or a webhook.
import type { Log } from '@instar/serving';
import type { AuditMetrics } from '../metrics/audit-metrics.ts';
import { type AuditEvent, legacyLine } from './event.ts';

export interface AuditBackend {
  /** False if events may be lost and the request must not go on. Never rejects. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** The server is closing: nothing is tried again from now on. */
  hasten?(): void;
  /** Delivers what waits. */
  close(): Promise<void>;
}

/** Counts and logs events that could not be delivered. */
export type ReportLoss = (plugin: string, why: unknown, events: readonly AuditEvent[]) => void;

const MAX_LOGGED = 10;

export function lossReporter(metrics: AuditMetrics, log: Log): ReportLoss {
  return (plugin, why, events) => {
    metrics.errors.with(plugin).value += events.length;
    const affected = events.slice(0, MAX_LOGGED).map(legacyLine);
    log.error({ plugin, err: why, count: events.length, events: affected }, 'audit events were lost');
  };
}

/** Sends events to all of them. */
export function allOf(backends: readonly AuditBackend[]): AuditBackend {
  if (backends.length === 1) return backends[0]!;
  return {
    process(events) {
      const results = backends.map((backend) => backend.process(events));
      if (results.every((result) => typeof result === 'boolean')) return results.every(Boolean);
      return Promise.all(results).then((all) => all.every(Boolean));
    },
    hasten() {
      for (const backend of backends) backend.hasten?.();
    },
    async close() {
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}

/** For the mode `blocking`: requests wait for the backend, and go on if it fails. */
export const ignoringErrors = (inner: AuditBackend): AuditBackend => ({
  process(events) {
    const result = inner.process(events);
    return typeof result === 'boolean' ? true : result.then(() => true);
  },
  hasten: () => inner.hasten?.(),
  close: () => inner.close(),
});
