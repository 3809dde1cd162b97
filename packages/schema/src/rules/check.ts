// Checks the rules of a schema when it is defined: that they compile against the types of their node, that
// what they can cost at worst, times how often their node can occur, is bearable, and that transition rules
// stand where old and new values belong together. What can be said about a rule without compiling it (blank
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
  /**
   * Nodes at which, or below which, the schema has errors: their rules are left alone, since the types could
   * not be trusted.
   */
  readonly isFaulty?: (schema: JSONSchemaProps) => boolean;
  /**
   * Does not refuse single rules for what they cost: for schemas that are stored already. The limit for the
   * whole stays.
   */
  readonly allowAnyRuleCost?: boolean;
}

/** Expects a structural schema whose defaults are in order. */
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
  /** The declaration of the node, if it is part of that of a node above. */
  readonly declared: DeclaredType | undefined;
  /** How often the node can occur in an object at most. Undefined: nothing above it sets a bound. */
  readonly occurrences: number | undefined;
  /** The topmost list whose items do not belong to old ones. */
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

  /** Children first: so upstream's errors come. */
  node(schema: JSONSchemaProps, path: FieldPath, place: RuleContext): void {
    if (!this.#survey.has(schema)) return;
    const hasRules = (schema['x-kubernetes-validations']?.length ?? 0) > 0;
    const declared = place.declared ?? (hasRules ? declarationOf(schema, place.isResource) : undefined);
    this.#children(schema, path, { ...place, declared });
    if (!hasRules || this.#options.isFaulty?.(schema) === true) return;
    if (declared === undefined) this.errors.push(undeclared(path));
    else this.#rules(new NodeRules(schema, declared), path, place);
  }

  #children(schema: JSONSchemaProps, path: FieldPath, place: RuleContext): void {
    const { additionalProperties, properties, items } = schema;
    const { declared, uncorrelated } = place;
    const occurrences = occurrencesBelow(schema, place.occurrences);
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

  #rules(rules: NodeRules, path: FieldPath, place: RuleContext): void {
    rules.rules.forEach((rule, index) => {
      const at = path.child('x-kubernetes-validations').index(index);
      const { compiled } = rule;
      const occurrences = place.occurrences ?? rules.scope.maxCardinality;
      this.#cost('estimated rule cost', at.child('rule'), (compiled.rule?.maxCost ?? 0) * occurrences);
      if (compiled.error !== undefined) this.errors.push(refused(at.child('rule'), rule, compiled.error));
      if (compiled.messageExpressionError !== undefined) {
        this.errors.push(refused(at.child('messageExpression'), rule, compiled.messageExpressionError));
      } else if (compiled.messageExpression !== undefined) {
        this.#cost(
          'estimated messageExpression cost',
          at.child('messageExpression'),
          compiled.messageExpression.maxCost,
        );
      }
      this.#oldSelf(rule, at, place);
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

function refused(path: FieldPath, { source }: NodeRule, problem: string): FieldError {
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
