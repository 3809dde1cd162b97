// Validates an object by the rules of its schema: at every value those of its node first, then those below.
// anyOf, allOf, oneOf and not are not structural, so they have no rules.
import { runtimeCostBudget } from '@instar/cel/kubernetes';
import {
  type FieldError,
  type FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import type { Correlation } from '../ratchet/correlation.ts';
import { KeyedItems } from '../ratchet/keyed-items.ts';
import { Trail } from '../trail.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { HAS_RULE } from '../tree/survey.ts';
import { Ratchet } from './ratchet.ts';
import { declaredField, makeRuleSite, type RuleSite } from './rule-site.ts';
import { RuleCase, type RuleOptions, RuleRun, runRules } from './run.ts';

export interface ValidateRulesOptions extends RuleOptions {
  readonly old?: JsonValue | undefined;
  readonly correlation?: Correlation | undefined;
  readonly path?: FieldPath | undefined;
  readonly budget?: number;
  /** The value is a whole resource: rules may use apiVersion, kind and metadata.name. */
  readonly isResource?: boolean;
}

export interface RulesOutcome {
  readonly errors: FieldError[];
  /** What is left of the budget; negative if rules were aborted. */
  readonly budget: number;
}

export function validateRules(
  value: JsonValue,
  node: SchemaNode,
  options: ValidateRulesOptions = {},
): RulesOutcome {
  const run = new RuleRun(options.budget ?? runtimeCostBudget, options);
  const walk = new RuleWalk(run, new Trail(options.path));
  node.ruleSite ??= makeRuleSite(node, options.isResource === true, undefined);
  walk.visit(
    value,
    options.old ?? undefined,
    node,
    node.ruleSite as RuleSite,
    Ratchet.of(options.correlation),
  );
  return { errors: run.errors, budget: run.budget };
}

class RuleWalk {
  readonly #run: RuleRun;
  readonly #trail: Trail;

  constructor(run: RuleRun, trail: Trail) {
    this.#run = run;
    this.#trail = trail;
  }

  visit(
    value: JsonValue,
    old: JsonValue | undefined,
    node: SchemaNode,
    site: RuleSite,
    ratchet: Ratchet,
  ): void {
    if (value === null || !site.isVisible) return;
    if (site.rules !== undefined)
      runRules(site.rules, new RuleCase(node, value, old, ratchet, this.#trail), this.#run);
    if (this.#run.budget < 0) return;
    if (Array.isArray(value)) this.#visitItems(value, old, node, site, ratchet);
    else if (typeof value === 'object') this.#visitFields(value, old, node, site, ratchet);
  }

  #visitFields(
    object: JsonObject,
    old: JsonValue | undefined,
    node: SchemaNode,
    site: RuleSite,
    ratchet: Ratchet,
  ): void {
    const before = isJsonObject(old) ? old : undefined;
    for (const name in object) {
      const property = node.property(name);
      const child = property ?? node.additionalProperties;
      if (child === undefined || (child.facets & HAS_RULE) === 0) continue;
      if (property === undefined) this.#trail.enterKey(name);
      else this.#trail.enter(name);
      child.ruleSite ??= makeRuleSite(
        child,
        child.embeddedResource,
        property === undefined ? site.declared?.element : declaredField(site, name),
      );
      const oldValue =
        before !== undefined && Object.hasOwn(before, name) ? (before[name] ?? undefined) : undefined;
      this.visit(object[name]!, oldValue, child, child.ruleSite as RuleSite, ratchet.field(name));
      this.#trail.leave();
      if (this.#run.budget < 0) return;
    }
  }

  #visitItems(
    list: JsonValue[],
    old: JsonValue | undefined,
    node: SchemaNode,
    site: RuleSite,
    ratchet: Ratchet,
  ): void {
    const { items } = node;
    if (items === undefined || (items.facets & HAS_RULE) === 0) return;
    items.ruleSite ??= makeRuleSite(items, items.embeddedResource, site.declared?.element);
    const before =
      Array.isArray(old) && node.listType === 'map' ? new KeyedItems(old, node.listMapKeys) : undefined;
    for (let index = 0; index < list.length; index++) {
      this.#trail.enter(index);
      this.visit(
        list[index]!,
        before?.like(list[index]!),
        items,
        items.ruleSite as RuleSite,
        ratchet.item(index),
      );
      this.#trail.leave();
      if (this.#run.budget < 0) return;
    }
  }
}
