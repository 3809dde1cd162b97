// Checks the rules of a schema when a definition is written: that they compile against the types of their
// node, that their maximum cost, times how often their node can occur, is within the limit, and that
// transition rules are used only where old and new values can be correlated. What needs no compilation (blank
// texts, line breaks, reasons) is part of the CRD's own validation.
import { type DeclaredType, escapeName, staticRuleCostLimit } from '@instar/cel/kubernetes';
import {
  encodeGoJson,
  type FieldError,
  type FieldPath,
  fieldErrors,
  type JsonValue,
} from '@instar/machinery';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.ts';
import { surveyOf } from '../tree/survey.ts';
import { costMessage, TotalCost } from './cost.ts';
import { declarationOf, type NodeRule, NodeRules } from './node-rules.ts';

export interface RuleCheckOptions {
  /** Nodes with errors at or below them: their rules are not checked, since the types may be wrong. */
  readonly isFaulty?: (schema: JSONSchemaProps) => boolean;
  /**
   * Do not refuse single rules for their cost: for schemas that are stored already. The limit for the whole
   * schema still applies.
   */
  readonly allowAnyRuleCost?: boolean;
}

/** Expects a structural schema with valid defaults. */
export function checkRules(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: RuleCheckOptions = {},
): FieldError[] {
  const check = new RuleCheck(schema, options);
  check.node(schema, path, {
    isResource: true,
    declared: undefined,
    occurrences: 1,
    uncorrelated: undefined,
  });
  return [...check.errors, ...check.total.errors(path)];
}

interface RuleContext {
  readonly isResource: boolean;
  /** The declaration of the node, if it is part of that of an ancestor. */
  readonly declared: DeclaredType | undefined;
  /** The maximum number of occurrences of the node in an object; undefined if unbounded. */
  readonly occurrences: number | undefined;
  /** The topmost list whose items cannot be correlated with old ones. */
  readonly uncorrelated: FieldPath | undefined;
}

class RuleCheck {
  readonly errors: FieldError[] = [];
  readonly total = new TotalCost();
  readonly #options: RuleCheckOptions;
  readonly #survey: ReturnType<typeof surveyOf>;

  constructor(root: JSONSchemaProps, options: RuleCheckOptions) {
    this.#survey = surveyOf(root);
    this.#options = options;
  }

  /** Children first, which is the order of upstream's errors. */
  node(schema: JSONSchemaProps, path: FieldPath, context: RuleContext): void {
    if (!this.#survey.has(schema)) return;
    const hasRules = (schema['x-kubernetes-validations']?.length ?? 0) > 0;
    const declared = context.declared ?? (hasRules ? declarationOf(schema, context.isResource) : undefined);
    this.#children(schema, path, { ...context, declared });
    if (!hasRules || this.#options.isFaulty?.(schema) === true) return;
    if (declared === undefined) this.errors.push(undeclared(path));
    else this.#rules(new NodeRules(schema, declared), path, context);
  }

  #children(schema: JSONSchemaProps, path: FieldPath, context: RuleContext): void {
    const { additionalProperties, properties, items } = schema;
    const { declared, uncorrelated } = context;
    const occurrences = occurrencesBelow(schema, context.occurrences);
    const child = (one: JSONSchemaProps, inner: DeclaredType | undefined): RuleContext => ({
      isResource: one['x-kubernetes-embedded-resource'] === true,
      declared: inner,
      occurrences,
      uncorrelated,
    });
    if (typeof additionalProperties === 'object') {
      this.node(
        additionalProperties,
        path.child('additionalProperties'),
        child(additionalProperties, declared?.element),
      );
    }
    for (const name in properties) {
      const property = properties[name]!;
      const inner = declared?.fields.get(escapeName(name) ?? '')?.type;
      this.node(property, path.child('properties').key(name), child(property, inner));
    }
    if (items === undefined || Array.isArray(items)) return;
    const isKeyed = schema['x-kubernetes-list-type'] === 'map';
    this.node(items, path.child('items'), {
      ...child(items, declared?.element),
      uncorrelated: uncorrelated ?? (isKeyed ? undefined : path),
    });
  }

  #rules(rules: NodeRules, path: FieldPath, context: RuleContext): void {
    rules.rules.forEach((rule, index) => {
      const at = path.child('x-kubernetes-validations').index(index);
      const { compiled } = rule;
      const occurrences = context.occurrences ?? rules.scope.maxCardinality;
      this.#cost('estimated rule cost', at.child('rule'), (compiled.rule?.maxCost ?? 0) * occurrences);
      if (compiled.error !== undefined) this.errors.push(refusedRule(at.child('rule'), rule, compiled.error));
      if (compiled.messageExpressionError !== undefined) {
        this.errors.push(refusedRule(at.child('messageExpression'), rule, compiled.messageExpressionError));
      } else if (compiled.messageExpression !== undefined) {
        this.#cost(
          'estimated messageExpression cost',
          at.child('messageExpression'),
          compiled.messageExpression.maxCost,
        );
      }
      this.#oldSelf(rule, at, context);
    });
  }

  #cost(title: string, path: FieldPath, cost: number): void {
    if (cost > staticRuleCostLimit && this.#options.allowAnyRuleCost !== true) {
      this.errors.push(fieldErrors.forbidden(path, costMessage(title, cost, staticRuleCostLimit)));
    }
    this.total.add(path, cost);
  }

  #oldSelf({ source, compiled }: NodeRule, at: FieldPath, { uncorrelated }: RuleContext): void {
    if (compiled.usesOldSelf && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.errors.push(fieldErrors.invalid(at.child('rule'), source.rule, detail));
    } else if (!compiled.usesOldSelf && source.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.errors.push(fieldErrors.invalid(at.child('optionalOldSelf'), source.optionalOldSelf, detail));
    }
  }
}

function occurrencesBelow(schema: JSONSchemaProps, occurrences: number | undefined): number | undefined {
  if (occurrences === undefined) return undefined;
  if (schema.type === 'array')
    return schema.maxItems === undefined ? undefined : occurrences * Math.max(Number(schema.maxItems), 0);
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return occurrences;
  return schema.maxProperties === undefined
    ? undefined
    : occurrences * Math.max(Number(schema.maxProperties), 0);
}

function undeclared(path: FieldPath): FieldError {
  const problem =
    'failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
  return fieldErrors.internal(path.child('x-kubernetes-validations'), `internal error: ${problem}`);
}

function refusedRule(path: FieldPath, { source }: NodeRule, problem: string): FieldError {
  const value = asGoStruct(source);
  return { ...fieldErrors.invalid(path, value, problem), valueText: printGoStruct(value) };
}

/** Upstream prints its own struct here, whose fields have Go's names and order. */
function asGoStruct(rule: ValidationRule): Record<string, JsonValue> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

function printGoStruct(fields: Record<string, JsonValue>): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${encodeGoJson(value)}`)
    .join(',')}}`;
}
