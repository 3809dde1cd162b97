// From the options of audit to what the filter needs: backends that wrap each other as upstream's do.
import { type Log, REAL_CLOCK, sleep } from '@instar/serving';
import type { AuditMetrics } from '../metrics/audit-metrics.ts';
import type { Auditing } from './auditing.ts';
import { type AuditBackend, allOf, ignoringErrors, lossReporter, type ReportLoss } from './backend.ts';
import { BufferedBackend } from './backends/buffered-backend.ts';
import { type LineSink, LogBackend, STANDARD_OUTPUT } from './backends/log-backend.ts';
import { RotatingFile } from './backends/rotating-file.ts';
import { TruncatingBackend } from './backends/truncating-backend.ts';
import { WebhookBackend } from './backends/webhook-backend.ts';
import type { AuditLogOptions, AuditOptions, AuditWebhookOptions } from './options.ts';
import { compileAuditPolicy } from './policy.ts';

/** How long the end of the server waits for events to be delivered. */
const CLOSE_MS = 4000;
const DAY_MS = 86_400_000;

/** Undefined if there is nowhere that events could go. */
export async function openAudit(
  { policy, log, webhook }: AuditOptions,
  metrics: AuditMetrics,
  serverLog: Log,
): Promise<Auditing | undefined> {
  const report = lossReporter(metrics, serverLog);
  const backends = [
    ...(log === undefined ? [] : [wrapped(await openLog(log, report, serverLog), log, report, true)]),
    ...(webhook === undefined ? [] : [wrapped(new WebhookBackend(webhook, report), webhook, report, false)]),
  ];
  if (backends.length === 0) return undefined;
  return { termsOf: compileAuditPolicy(policy), backend: closingInTime(allOf(backends)), metrics };
}

async function openLog(options: AuditLogOptions, report: ReportLoss, log: Log): Promise<LogBackend> {
  return new LogBackend(await openSink(options, log), options.format, report);
}

async function openSink(options: AuditLogOptions, log: Log): Promise<LineSink> {
  if (options.path === '-') return STANDARD_OUTPUT;
  const rotation = {
    maxBytes: options.maxMegabytes * 1024 * 1024,
    maxAgeMs: options.maxAgeDays * DAY_MS,
    maxBackups: options.maxBackups,
    compress: options.compress,
  };
  const file = new RotatingFile(options.path, rotation, (err) =>
    log.error({ err }, 'old audit logs could not be compressed or removed'),
  );
  await file.open();
  return file;
}

function wrapped(
  backend: AuditBackend,
  { mode, batch, truncate }: AuditLogOptions | AuditWebhookOptions,
  report: ReportLoss,
  inOrder: boolean,
): AuditBackend {
  const inMode =
    mode === 'batch'
      ? new BufferedBackend(backend, batch, report, inOrder)
      : mode === 'blocking'
        ? ignoringErrors(backend)
        : backend;
  return truncate === undefined ? inMode : new TruncatingBackend(inMode, truncate, report);
}

const closingInTime = (backend: AuditBackend): AuditBackend => ({
  process: (events) => backend.process(events),
  async close() {
    const waiting = new AbortController();
    const timeout = sleep(REAL_CLOCK, CLOSE_MS, waiting.signal).catch(() => {});
    await Promise.race([backend.close(), timeout]);
    waiting.abort();
  },
});
