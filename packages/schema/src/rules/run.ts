// Runs the rules of one node on one value: reports failures, and keeps track of the cost budget.
import { maxMessageBytes, runExpression } from '@instar/cel/kubernetes';
import { utf8Length } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrorMessage,
  fieldErrors,
  type JsonValue,
} from '@instar/machinery';
import type { ValidationRule } from '../json-schema-props.ts';
import type { Trail } from '../trail.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import type { NodeRule, NodeRules } from './node-rules.ts';
import type { Ratchet } from './ratchet.ts';

export interface RuleOptions {
  readonly deadline?: number | undefined;
  readonly warn?: ((text: string) => void) | undefined;
}

/** One validation of one object: the errors so far, and the rest of the cost budget. */
export class RuleRun {
  readonly errors: FieldError[] = [];
  /** Negative if rules were aborted. */
  budget: number;
  readonly options: RuleOptions;

  constructor(budget: number, options: RuleOptions) {
    this.budget = budget;
    this.options = options;
  }

  abort(error: FieldError): void {
    this.errors.push(error);
    this.budget = -1;
  }
}

/** One value, as input of the rules of its node. */
export class RuleCase {
  readonly value: JsonValue;
  /** Undefined if there is no correlated old value. */
  readonly old: JsonValue | undefined;
  /** What errors show instead of a value for which a rule failed to run. */
  readonly shownType: string;
  self: RuleOperand;
  oldSelf: RuleOperand | undefined;
  readonly #ratchet: Ratchet;
  readonly #trail: Trail;

  constructor(
    node: SchemaNode,
    value: JsonValue,
    old: JsonValue | undefined,
    ratchet: Ratchet,
    trail: Trail,
  ) {
    this.value = value;
    this.old = old;
    this.shownType = node.props.type ?? '';
    this.self = null;
    this.oldSelf = undefined;
    this.#ratchet = ratchet;
    this.#trail = trail;
  }

  /** Converts the values for the rules. */
  read({ scope, usesOldSelf }: NodeRules): void {
    this.self = scope.read(this.value);
    if (this.old !== undefined && usesOldSelf) this.oldSelf = scope.read(this.old);
  }

  /** Whether errors of this value are ratcheted, since it did not change. */
  isUnchanged(): boolean {
    return this.#ratchet.isUnchanged();
  }

  path(): FieldPath {
    return this.#trail.path();
  }
}

type RuleOperand = ReturnType<NodeRules['scope']['read']>;

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

export function runRules(rules: NodeRules, at: RuleCase, run: RuleRun): void {
  if (run.budget <= 0) {
    run.abort(fieldErrors.invalid(at.path(), at.shownType, OUT_OF_BUDGET));
    return;
  }
  at.read(rules);
  for (const rule of rules.rules) {
    runRule(rule, at, run);
    if (run.budget < 0) return;
  }
}

function runRule(rule: NodeRule, at: RuleCase, run: RuleRun): void {
  const { source, compiled } = rule;
  if (compiled.error !== undefined) {
    run.errors.push(fieldErrors.invalid(at.path(), at.shownType, `rule compile error: ${compiled.error}`));
    return;
  }
  if (compiled.rule === undefined) return;
  if (compiled.usesOldSelf && at.oldSelf === undefined && !compiled.optionalOldSelf) return;
  const { self, oldSelf } = at;
  const { deadline } = run.options;
  const limits = deadline === undefined ? {} : { deadline };
  const outcome = runExpression(compiled.rule, {
    self,
    oldSelf,
    optionalOldSelf: compiled.optionalOldSelf,
    ...limits,
  });
  if (outcome.cost > run.budget) {
    run.abort(fieldErrors.invalid(at.path(), at.shownType, OUT_OF_BUDGET));
    return;
  }
  run.budget -= outcome.cost;
  if (outcome.error !== undefined) reportFault(outcome.error, source, at, run);
  else if (outcome.value !== true) reportBroken(rule, at, run);
}

/** The rule failed to run. Such errors are never ratcheted. */
function reportFault(fault: string, source: ValidationRule, at: RuleCase, run: RuleRun): void {
  const rule = ruleText(source);
  const invalid = (detail: string): FieldError => fieldErrors.invalid(at.path(), at.shownType, detail);
  if (fault.startsWith('no such overload')) {
    // Possible only for values of unknown type; the compiler checks others.
    run.errors.push(
      invalid(
        `'${fault}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`,
      ),
    );
  } else if (fault.startsWith('operation cancelled: actual cost limit exceeded')) {
    run.abort(
      invalid(
        `'${fault}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
      ),
    );
  } else {
    run.errors.push(invalid(`${fault} evaluating rule: ${rule}`));
  }
}

function reportBroken(rule: NodeRule, at: RuleCase, run: RuleRun): void {
  const { source, compiled, fieldPath } = rule;
  const path = fieldPath === undefined ? at.path() : at.path().child(fieldPath);
  const add = (error: FieldError): void => {
    if (compiled.usesOldSelf || !at.isUnchanged()) run.errors.push(error);
    else run.options.warn?.(fieldErrorMessage(error));
  };
  const message = messageOf(rule, at, run);
  if (message.fault !== undefined) {
    add(fieldErrors.invalid(path, at.shownType, message.fault));
    run.budget = -1;
    return;
  }
  const isWhole = at.shownType === 'object' || at.shownType === 'array';
  add(
    errorOfReason(
      source.reason,
      path,
      isWhole ? undefined : at.value,
      message.text ?? defaultMessage(source),
    ),
  );
}

/**
 * The text of the messageExpression. No text: it failed, and the plain message is used. A fault: it exceeded
 * the budget.
 */
function messageOf(
  { source, compiled }: NodeRule,
  at: RuleCase,
  run: RuleRun,
): { text?: string; fault?: string } {
  if (compiled.messageExpression === undefined) return {};
  const { self, oldSelf } = at;
  const { value, error, cost } = runExpression(compiled.messageExpression, {
    self,
    oldSelf,
    optionalOldSelf: compiled.optionalOldSelf,
  });
  if (cost > run.budget) {
    return {
      fault:
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    };
  }
  if (error?.startsWith('operation cancelled: actual cost limit exceeded')) {
    const expression = JSON.stringify(source.messageExpression);
    return {
      fault: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`,
    };
  }
  run.budget -= cost;
  const text = typeof value === 'string' ? value.trim() : '';
  const isUsable = text !== '' && !text.includes('\n') && utf8Length(text) <= maxMessageBytes;
  return isUsable ? { text } : {};
}

function errorOfReason(
  reason: string | undefined,
  path: FieldPath,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return fieldErrors.forbidden(path, detail);
    case 'FieldValueRequired':
      return fieldErrors.required(path, detail);
    case 'FieldValueDuplicate':
      return { ...fieldErrors.invalid(path, value, ''), type: 'FieldValueDuplicate' };
    default:
      return fieldErrors.invalid(path, value, detail);
  }
}

function ruleText({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function defaultMessage(source: ValidationRule): string {
  return (source.message ?? '') === '' ? `failed rule: ${ruleText(source)}` : ruleText(source);
}
