// From the flags of audit to the options of the server, with the errors of kube-apiserver.
import { resolve } from 'node:path';
import type { AuditOptions } from '@instar/server';
import { FlagError } from '../flag-error.ts';
import type { AuditFlags } from './flags.ts';

type LogOptions = NonNullable<AuditOptions['log']>;
type WebhookOptions = Omit<NonNullable<AuditOptions['webhook']>, 'send'>;
type BackendOptions = Pick<LogOptions, 'mode' | 'batch' | 'truncate'>;

/** Audit as the flags say it: the files that they name have not been read. */
export interface AuditSettings {
  readonly policyFile: string | undefined;
  readonly log: LogOptions | undefined;
  readonly webhook: (WebhookOptions & { readonly kubeconfigFile: string }) | undefined;
}

const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];
const VERSION = 'audit.k8s.io/v1';

export function auditSettingsOf(flags: AuditFlags): AuditSettings {
  return {
    policyFile: flags.auditPolicyFile || undefined,
    log: flags.auditLogPath ? logOptions(flags, flags.auditLogPath) : undefined,
    webhook: flags.auditWebhookConfigFile ? webhookOptions(flags, flags.auditWebhookConfigFile) : undefined,
  };
}

function logOptions(flags: AuditFlags, path: string): LogOptions {
  const options = backendOptions(flags, 'log');
  const format = flags.auditLogFormat;
  if (!FORMATS.includes(format))
    throw new FlagError(`invalid audit log format ${format}, allowed formats are "${FORMATS.join(',')}"`);
  const counts = {
    maxage: flags.auditLogMaxage,
    maxbackup: flags.auditLogMaxbackup,
    maxsize: flags.auditLogMaxsize,
  };
  for (const [name, count] of Object.entries(counts))
    if (count < 0) throw new FlagError(`--audit-log-${name} ${count} can't be a negative number`);
  return {
    ...options,
    path: path === '-' ? path : resolve(path),
    format: format as LogOptions['format'],
    maxAgeDays: counts.maxage,
    maxBackups: counts.maxbackup,
    maxMegabytes: counts.maxsize,
    compress: flags.auditLogCompress,
  };
}

const webhookOptions = (flags: AuditFlags, kubeconfigFile: string) => ({
  ...backendOptions(flags, 'webhook'),
  kubeconfigFile,
  initialBackoffMs: flags.auditWebhookInitialBackoff,
});

function backendOptions(flags: AuditFlags, backend: 'log' | 'webhook'): BackendOptions {
  const given = <K extends string>(name: K) =>
    (backend === 'log'
      ? flags[`auditLog${name}` as never]
      : flags[`auditWebhook${name}` as never]) as unknown;
  const count = (name: string): number => given(name) as number;
  const mode = given('Mode') as LogOptions['mode'];
  if (!MODES.includes(mode)) {
    const allowed = MODES.join(',');
    throw new FlagError(`invalid audit ${backend} mode ${mode}, allowed modes are "${allowed}"`);
  }
  const version = given('Version') as string;
  if (version !== VERSION)
    throw new FlagError(`--audit-${backend}-version ${version}: invalid group version, allowed: ${VERSION}`);
  return {
    mode,
    batch: batchOptions(backend, mode, count, given('BatchThrottleEnable') === true),
    truncate: truncateOptions(backend, count, given('TruncateEnabled') === true),
  };
}

function batchOptions(
  backend: string,
  mode: string,
  count: (name: string) => number,
  isThrottled: boolean,
): BackendOptions['batch'] {
  const positive = (name: string, text: string): number => {
    const value = count(name);
    // What is not used is not checked.
    if (mode === 'batch' && value <= 0)
      throw new FlagError(`invalid audit batch ${backend} ${text} ${value}, must be a positive number`);
    return value;
  };
  return {
    bufferSize: positive('BatchBufferSize', 'buffer size'),
    maxBatchSize: positive('BatchMaxSize', 'max batch size'),
    maxWaitMs: count('BatchMaxWait'),
    throttle: isThrottled
      ? {
          qps: positive('BatchThrottleQps', 'throttle QPS'),
          burst: positive('BatchThrottleBurst', 'throttle burst'),
        }
      : undefined,
  };
}

function truncateOptions(
  backend: string,
  count: (name: string) => number,
  isEnabled: boolean,
): BackendOptions['truncate'] {
  const maxEventBytes = count('TruncateMaxEventSize');
  const maxBatchBytes = count('TruncateMaxBatchSize');
  if (maxEventBytes <= 0) {
    const text = `invalid audit truncate ${backend} max event size ${maxEventBytes}`;
    throw new FlagError(`${text}, must be a positive number`);
  }
  if (maxBatchBytes < maxEventBytes) {
    const text = `invalid audit truncate ${backend} max batch size ${maxBatchBytes}`;
    throw new FlagError(`${text}, must be greater than max event size (${maxEventBytes})`);
  }
  return isEnabled ? { maxEventBytes, maxBatchBytes } : undefined;
}
