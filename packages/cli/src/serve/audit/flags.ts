// The flags of audit, as commander parses them, and their defaults, which are kube-apiserver's.
import { InvalidArgumentError, Option } from 'commander';
import { boolean, duration } from '../flag-values.ts';

interface BackendFlags {
  readonly mode: string;
  readonly batchBufferSize: number;
  readonly batchMaxSize: number;
  readonly batchMaxWait: number;
  readonly batchThrottleEnable: boolean;
  readonly batchThrottleQps: number;
  readonly batchThrottleBurst: number;
  readonly truncateEnabled: boolean;
  readonly truncateMaxBatchSize: number;
  readonly truncateMaxEventSize: number;
}

type Prefixed<P extends string, T> = { readonly [K in keyof T & string as `${P}${Capitalize<K>}`]: T[K] };

interface LogFlags extends BackendFlags {
  readonly path?: string;
  readonly format: string;
  readonly maxage: number;
  readonly maxbackup: number;
  readonly maxsize: number;
  readonly compress: boolean;
  readonly version: string;
}

interface WebhookFlags extends BackendFlags {
  readonly configFile?: string;
  readonly initialBackoff: number;
  readonly version: string;
}

/** A backend has the same flags for a log and a webhook. */
export type AuditFlags = { readonly auditPolicyFile?: string } & Prefixed<'auditLog', LogFlags> &
  Prefixed<'auditWebhook', WebhookFlags>;

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function decimal(text: string): number {
  if (!/^-?\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

const MODES = 'batch (events wait in a buffer), blocking (requests wait), blocking-strict (and fail)';

export function auditOptions(): Option[] {
  const option = (flags: string, text: string): Option => new Option(flags, text);
  return [
    option('--audit-policy-file <file>', 'a Policy of audit.k8s.io/v1: which requests are recorded'),
    option('--audit-log-path <file>', 'where the events are written; - is standard output'),
    option('--audit-log-format <format>', 'json, or legacy: a line of text').default('json'),
    option('--audit-log-maxsize <n>', 'megabytes after which the file is rotated; 0: never')
      .default(100)
      .argParser(wholeNumber),
    option('--audit-log-maxbackup <n>', 'how many rotated files are kept; 0: all')
      .default(100)
      .argParser(wholeNumber),
    option('--audit-log-maxage <n>', 'how many days rotated files are kept; 0: forever')
      .default(366)
      .argParser(wholeNumber),
    option('--audit-log-compress [bool]', 'compress rotated files').default(false).argParser(boolean),
    option('--audit-log-mode <mode>', MODES).default('blocking'),
    option('--audit-log-version <version>', 'audit.k8s.io/v1').default('audit.k8s.io/v1').hideHelp(),
    ...backendOptions('log', { batchMaxSize: 1, isThrottled: false }),
    option('--audit-webhook-config-file <file>', 'a kubeconfig that names a webhook, which gets the events'),
    option('--audit-webhook-mode <mode>', MODES).default('batch'),
    option('--audit-webhook-initial-backoff <duration>', 'the pause before a failed call is repeated')
      .default(10_000, '10s')
      .argParser(duration),
    option('--audit-webhook-version <version>', 'audit.k8s.io/v1').default('audit.k8s.io/v1').hideHelp(),
    ...backendOptions('webhook', { batchMaxSize: 400, isThrottled: true }),
  ];
}

/** The help names them together. */
function backendOptions(
  backend: 'log' | 'webhook',
  { batchMaxSize, isThrottled }: { batchMaxSize: number; isThrottled: boolean },
): Option[] {
  const option = (name: string, value: string, parse: (text: string) => unknown, fallback: unknown): Option =>
    new Option(`--audit-${backend}-${name} ${value}`).argParser(parse).default(fallback).hideHelp();
  return [
    option('batch-buffer-size', '<n>', wholeNumber, 10_000),
    option('batch-max-size', '<n>', wholeNumber, batchMaxSize),
    option('batch-max-wait', '<duration>', duration, isThrottled ? 30_000 : 0),
    option('batch-throttle-enable', '[bool]', boolean, isThrottled),
    option('batch-throttle-qps', '<n>', decimal, isThrottled ? 10 : 0),
    option('batch-throttle-burst', '<n>', wholeNumber, isThrottled ? 15 : 0),
    option('truncate-enabled', '[bool]', boolean, false),
    option('truncate-max-batch-size', '<bytes>', wholeNumber, 10 * 1024 * 1024),
    option('truncate-max-event-size', '<bytes>', wholeNumber, 100 * 1024),
  ];
}
