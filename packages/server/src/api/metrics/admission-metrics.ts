// kube-apiserver's metrics of admission: by step, webhook, match condition and policy.
import type { AdmissionObserver } from '@instar/admission';
import type { HistogramSeries, MetricsRegistry } from '@instar/serving';

export interface AdmissionMetrics {
  readonly observer: AdmissionObserver;
  /** Measures one step of the chain for one request. */
  step<T>(type: 'admit' | 'validate', operation: string, work: () => Promise<T>): Promise<T>;
  /** The same for one part of the chain, under the name of upstream's plugin. */
  controller<T>(
    name: string,
    type: 'admit' | 'validate',
    operation: string,
    work: () => Promise<T>,
  ): Promise<T>;
}

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const WEBHOOK_BUCKETS = [...BUCKETS, 10, 25];
const CONDITION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
const CHECK_BUCKETS = [0.0000005, 0.001, 0.01, 0.1, 1];
/** Codes that webhooks invent are counted together. */
const MAX_CODE = 600;

const codeLabel = (code: number): string => String(Math.min(code, MAX_CODE));

export function createAdmissionMetrics(registry: MetricsRegistry): AdmissionMetrics {
  const steps = registry.histogram(
    'apiserver_admission_step_admission_duration_seconds',
    'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
    BUCKETS,
    ['type', 'operation', 'rejected'],
  );
  const controllers = registry.histogram(
    'apiserver_admission_controller_admission_duration_seconds',
    'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    BUCKETS,
    ['name', 'type', 'operation', 'rejected'],
  );
  const measureStep = measurement((...labels) => steps.with(...labels));
  const measureController = measurement((...labels) => controllers.with(...labels));
  return {
    observer: {
      ...webhookObserver(registry),
      ...conditionObserver(registry),
      ...checkObserver(registry),
      ...mutationObserver(registry),
    },
    step: (type, operation, work) => measureStep([type, operation], work),
    controller: (name, type, operation, work) => measureController([name, type, operation], work),
  };
}

/** Measures how long work takes, by labels and by whether it was rejected. Series are few, and cached. */
function measurement(seriesOf: (...labels: string[]) => HistogramSeries) {
  const cached = new Map<string, HistogramSeries>();
  const observe = (labels: readonly string[], rejected: boolean, start: number): void => {
    const key = `${labels.join(' ')} ${rejected}`;
    let series = cached.get(key);
    if (series === undefined) cached.set(key, (series = seriesOf(...labels, String(rejected))));
    series.observe((performance.now() - start) / 1000);
  };
  return async <T>(labels: readonly string[], work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      const result = await work();
      observe(labels, false, start);
      return result;
    } catch (error) {
      observe(labels, true, start);
      throw error;
    }
  };
}

function webhookObserver(registry: MetricsRegistry): Pick<AdmissionObserver, 'webhook'> {
  const duration = registry.histogram(
    'apiserver_admission_webhook_admission_duration_seconds',
    'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    WEBHOOK_BUCKETS,
    ['name', 'type', 'operation', 'rejected'],
  );
  const rejections = registry.counter(
    'apiserver_admission_webhook_rejection_count',
    'Admission webhook rejection count, by name, admission type, operation, error type and code (codes above 600 count as 600).',
    ['name', 'type', 'operation', 'error_type', 'rejection_code'],
  );
  const failOpen = registry.counter(
    'apiserver_admission_webhook_fail_open_count',
    'Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
    ['name', 'type'],
  );
  const requests = registry.counter(
    'apiserver_admission_webhook_request_total',
    'Admission webhook request total, by name, admission type, operation, code (above 600 counts as 600) and whether it was rejected.',
    ['name', 'type', 'operation', 'code', 'rejected'],
  );
  return {
    webhook({ name, type, operation, milliseconds, rejected, code, errorType, failedOpen }) {
      duration.with(name, type, operation, String(rejected)).observe(milliseconds / 1000);
      requests.with(name, type, operation, codeLabel(code), String(rejected)).value++;
      if (errorType !== undefined) rejections.with(name, type, operation, errorType, codeLabel(code)).value++;
      if (failedOpen) failOpen.with(name, type).value++;
    },
  };
}

function conditionObserver(registry: MetricsRegistry): Pick<AdmissionObserver, 'conditions'> {
  const labels = ['name', 'kind', 'type', 'operation'];
  const errorCount = registry.counter(
    'apiserver_admission_match_condition_evaluation_errors_total',
    'Admission match condition evaluation errors count, by name, kind (webhook or policy), admission type and operation.',
    labels,
  );
  const exclusions = registry.counter(
    'apiserver_admission_match_condition_exclusions_total',
    'Admission match condition evaluation exclusions count, by name, kind (webhook or policy), admission type and operation.',
    labels,
  );
  const duration = registry.histogram(
    'apiserver_admission_match_condition_evaluation_seconds',
    'Admission match condition evaluation time in seconds, by name, kind (webhook or policy), admission type and operation.',
    CONDITION_BUCKETS,
    labels,
  );
  return {
    conditions({ name, kind, type, operation, milliseconds, errors, excluded }) {
      duration.with(name, kind, type, operation).observe(milliseconds / 1000);
      if (errors > 0) errorCount.with(name, kind, type, operation).value += errors;
      if (excluded) exclusions.with(name, kind, type, operation).value++;
    },
  };
}

function checkObserver(registry: MetricsRegistry): Pick<AdmissionObserver, 'check'> {
  const labels = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
  const total = registry.counter(
    'apiserver_validating_admission_policy_check_total',
    'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
    labels,
  );
  const duration = registry.histogram(
    'apiserver_validating_admission_policy_check_duration_seconds',
    'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
    CHECK_BUCKETS,
    labels,
  );
  return {
    check({ policy, binding, errorType, action, milliseconds }) {
      total.with(policy, binding, errorType, action).value++;
      duration.with(policy, binding, errorType, action).observe(milliseconds / 1000);
    },
  };
}

function mutationObserver(registry: MetricsRegistry): Pick<AdmissionObserver, 'mutation'> {
  const labels = ['policy', 'policy_binding', 'error_type'];
  const total = registry.counter(
    'apiserver_mutating_admission_policy_check_total',
    'Mutation admission policy check total, labeled by policy and further identified by binding.',
    labels,
  );
  const duration = registry.histogram(
    'apiserver_mutating_admission_policy_check_duration_seconds',
    'Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.',
    CHECK_BUCKETS,
    labels,
  );
  return {
    mutation({ policy, binding, errorType, milliseconds }) {
      total.with(policy, binding, errorType).value++;
      duration.with(policy, binding, errorType).observe(milliseconds / 1000);
    },
  };
}
