// Validation tightened without locking anyone out: strict for what is new or was right before, lenient for
// what was wrong already, so that its finalizers can be removed and its status written. Immutability holds in
// any case. (KEP-1900 calls it ratcheting validation.)
import {
  aggregateMessage,
  type FieldError,
  fieldErrorMessage,
  type JsonObject,
  statusCauses,
} from '@instar/machinery';
import { whenKnown } from '../review/deadline.ts';
import { type ImmutabilityRule, immutableField } from './immutable-field.ts';
import type { AdmissionFunction, CallContext, Request } from './request.ts';
import { allow, type Denied, deny, type Verdict } from './verdict.ts';

/** What is wrong with an object; an empty list if nothing is. Returns, never throws. */
export type StrictValidator<T> = (
  object: T,
  request: Request<T>,
  context: CallContext,
) => readonly FieldError[] | Promise<readonly FieldError[]>;

export interface RatchetOptions<T> {
  /** Paths of fields (`spec.source`) that may not change, or rules of your own. */
  readonly immutable?: readonly (string | ImmutabilityRule<T>)[];
  /** Of a denial: 422 unless said otherwise. */
  readonly code?: number;
  /** Tells the user, as a warning, what is still wrong with an object that is let through. */
  readonly warn?: boolean;
}

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
    const moved = oldObject === null ? [] : rules.flatMap((rule) => rule(oldObject, object));
    return whenKnown(strict(object, request, context), (wrong) => {
      if (moved.length > 0) return denial([...moved, ...wrong], code);
      if (wrong.length === 0) return allow();
      if (oldObject === null) return denial(wrong, code);
      return whenKnown(strict(oldObject, request, context), (before) =>
        before.length > 0 ? letThrough(wrong, warn) : denial(wrong, code),
      );
    });
  };
}

function letThrough(wrong: readonly FieldError[], warn: boolean): Verdict {
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
export function denial(errors: readonly FieldError[], code = 422): Denied {
  return deny(aggregateMessage(errors), { code, reason: REASONS.get(code), causes: statusCauses(errors) });
}
