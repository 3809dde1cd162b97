// What the filter of audit needs: what is recorded of a request, and where it goes.
import type { Attributes } from '../auth/authorizer.ts';
import type { AuditMetrics } from '../metrics/audit-metrics.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditTerms } from './policy.ts';

export interface Auditing {
  readonly termsOf: (attributes: Attributes) => AuditTerms;
  readonly backend: AuditBackend;
  readonly metrics: AuditMetrics;
}
