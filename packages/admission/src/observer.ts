// Receives what admission did, for metrics. The words are those of upstream's labels.
import type { AdmissionOperation } from '@instar/machinery';

export type AdmissionType = 'admit' | 'validating';

export interface ObservedWebhook {
  readonly name: string;
  readonly type: AdmissionType;
  readonly operation: AdmissionOperation;
  readonly milliseconds: number;
  readonly rejected: boolean;
  /** The HTTP code for metrics: 200 for an answer that allows, 0 for an error of our own. */
  readonly code: number;
  /** Set if rejected. */
  readonly errorType?: 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';
  readonly failedOpen: boolean;
}

export interface ObservedConditions {
  readonly name: string;
  readonly kind: 'webhook' | 'policy';
  readonly type: 'admit' | 'validating' | 'validate';
  readonly operation: AdmissionOperation;
  readonly milliseconds: number;
  readonly errors: number;
  readonly excluded: boolean;
}

export interface ObservedCheck {
  readonly policy: string;
  readonly binding: string;
  readonly errorType: EvaluationError;
  readonly action: 'allow' | 'deny' | 'audit' | 'warn';
  readonly milliseconds: number;
}

type EvaluationError = 'no_error' | 'compile_error' | 'invalid_error' | 'out_of_budget';

export interface ObservedMutation {
  readonly policy: string;
  readonly binding: string;
  readonly errorType: EvaluationError;
  readonly milliseconds: number;
}

/** Receives what metrics report about the admission chain. */
export interface AdmissionObserver {
  webhook(observed: ObservedWebhook): void;
  conditions(observed: ObservedConditions): void;
  check(observed: ObservedCheck): void;
  mutation(observed: ObservedMutation): void;
}
