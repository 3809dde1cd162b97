// Tightens validation without blocking updates of objects that were invalid before: strict for new and valid
// objects, lenient for those already invalid, so that finalizers can be removed and status written.
// Immutability is always enforced. (KEP-1900 calls it ratcheting validation.)
import {
  aggregateMessage,
  type FieldError,
  fieldErrorMessage,
  type JsonObject,
  statusCauses,
} from '@instar/machinery';
import { thenSync } from '../review/deadline.ts';
import { type ImmutabilityRule, immutableField } from './immutable-field.ts';
import type { AdmissionFunction, CallContext, TypedAdmissionRequest } from './request.ts';
import { type AdmissionVerdict, allow, type DeniedVerdict, deny } from './verdict.ts';

/** The errors of an object; an empty list if it is valid. Never throws. */
export type StrictValidator<T> = (
  object: T,
  request: TypedAdmissionRequest<T>,
  context: CallContext,
) => readonly FieldError[] | Promise<readonly FieldError[]>;

/** What a ratcheting webhook checks besides its validator. */
export interface RatchetOptions<T> {
  /** Paths of fields (`spec.source`) that must not change, or custom rules. */
  readonly immutable?: readonly (string | ImmutabilityRule<T>)[];
  /** The code of a denial; default 422. */
  readonly code?: number;
  /** Warn the user about what is still invalid in an object that is allowed. Default: true. */
  readonly warn?: boolean;
}

/** Denies what is invalid, unless it was already invalid before the update. */
export function ratchet<T = JsonObject>(
  strict: StrictValidator<T>,
  options: RatchetOptions<T> = {},
): AdmissionFunction<T> {
  const rules = (options.immutable ?? []).map((rule) =>
    typeof rule === 'string' ? immutableField<T>(rule) : rule,
  );
  const { code = 422, warn = true } = options;
  return (request, context) => {
    const { object, oldObject, operation } = request;
    if (object === null || (operation !== 'CREATE' && operation !== 'UPDATE')) return allow();
    const changed = oldObject === null ? [] : rules.flatMap((rule) => rule(oldObject, object));
    return thenSync(strict(object, request, context), (wrong) => {
      if (changed.length > 0) return denial([...changed, ...wrong], code);
      if (wrong.length === 0) return allow();
      if (oldObject === null) return denial(wrong, code);
      return thenSync(strict(oldObject, request, context), (before) =>
        before.length > 0 ? allowStillInvalid(wrong, warn) : denial(wrong, code),
      );
    });
  };
}

function allowStillInvalid(wrong: readonly FieldError[], warn: boolean): AdmissionVerdict {
  return warn
    ? allow({
        warnings: wrong.map((error) => `still invalid, as before this change: ${fieldErrorMessage(error)}`),
      })
    : allow();
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [403, 'Forbidden'],
  [409, 'Conflict'],
  [422, 'Invalid'],
]);

/** A denial that names every field at fault. */
export function denial(errors: readonly FieldError[], code = 422): DeniedVerdict {
  return deny(aggregateMessage(errors), { code, reason: REASONS.get(code), causes: statusCauses(errors) });
}
