// kube-apiserver's metrics of audit events.
import type { Counter, MetricsRegistry } from '@instar/serving';

export interface AuditMetrics {
  readonly events: Counter;
  /** By plugin. */
  readonly errors: Counter;
  /** By level: one per request. */
  readonly levels: Counter;
  readonly rejected: Counter;
}

export function createAuditMetrics(registry: MetricsRegistry): AuditMetrics {
  return {
    events: registry.counter(
      'apiserver_audit_event_total',
      'Counter of audit events generated and sent to the audit backend.',
    ),
    errors: registry.counter(
      'apiserver_audit_error_total',
      'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
      ['plugin'],
    ),
    levels: registry.counter(
      'apiserver_audit_level_total',
      'Counter of policy levels for audit events (1 per request).',
      ['level'],
    ),
    rejected: registry.counter(
      'apiserver_audit_requests_rejected_total',
      'Counter of apiserver requests rejected due to an error in audit logging backend.',
    ),
  };
}
