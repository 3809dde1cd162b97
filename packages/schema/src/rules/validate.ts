// Validates an object by the rules of its schema: at every value those of its node first, then what is below it.
// Rules below anyOf, allOf, oneOf and not are not structural, so none are looked for there.
import { type DeclaredType, escapeName, runtimeCostBudget } from '@instar/cel/kubernetes';
import type { FieldError, FieldPath, JsonObject, JsonValue } from '@instar/machinery';
import { isJsonObject } from '@instar/machinery';
import type { Correlation } from '../ratchet/correlation.ts';
import { KeyedItems } from '../ratchet/keyed-items.ts';
import type { SchemaNode } from '../structural/schema-node.ts';
import { HAS_RULE } from '../structural/survey.ts';
import { Trail } from '../trail.ts';
import { declarationOf, NodeRules } from './node-rules.ts';
import { Ratchet } from './ratchet.ts';
import { type RuleOptions, RuleRun, runRules } from './run.ts';

export interface ValidateRulesOptions extends RuleOptions {
  readonly old?: JsonValue | undefined;
  readonly correlation?: Correlation | undefined;
  readonly path?: FieldPath | undefined;
  readonly budget?: number;
  /** The value is a whole resource: rules may use its type and name. */
  readonly isResource?: boolean;
}

export interface RulesOutcome {
  readonly errors: FieldError[];
  /** What is left of the budget; negative if rules were given up. */
  readonly budget: number;
}

export function validateRules(value: JsonValue, node: SchemaNode, options: ValidateRulesOptions = {}): RulesOutcome {
  const run = new RuleRun(options.budget ?? runtimeCostBudget, options);
  const walk = new RuleWalk(run, new Trail(options.path));
  walk.visit(
    value,
    options.old ?? undefined,
    node,
    { isResource: options.isResource === true, declared: undefined },
    Ratchet.of(options.correlation),
  );
  return { errors: run.errors, budget: run.budget };
}

interface Typing {
  readonly isResource: boolean;
  /** The declaration of the node, if one of a node above has been made: it is part of that. */
  readonly declared: DeclaredType | undefined;
}

class RuleWalk {
  readonly #run: RuleRun;
  readonly #trail: Trail;

  constructor(run: RuleRun, trail: Trail) {
    this.#run = run;
    this.#trail = trail;
  }

  visit(value: JsonValue, old: JsonValue | undefined, node: SchemaNode, typing: Typing, ratchet: Ratchet): void {
    if (value === null || (node.facets & HAS_RULE) === 0) return;
    const declared = this.#runOwn(value, old, node, typing, ratchet);
    if (this.#run.budget < 0 || declared === 'invisible') return;
    if (Array.isArray(value)) this.#visitItems(value, old, node, declared, ratchet);
    else if (typeof value === 'object') this.#visitFields(value, old, node, declared, ratchet);
  }

  /** Runs the node's own rules. Gives the declaration that children can share, if there is one. */
  #runOwn(
    value: JsonValue,
    old: JsonValue | undefined,
    node: SchemaNode,
    typing: Typing,
    ratchet: Ratchet,
  ): DeclaredType | 'invisible' | undefined {
    if ((node.props['x-kubernetes-validations']?.length ?? 0) === 0) return isVisible(node) ? typing.declared : 'invisible';
    if (node.rules === undefined) {
      const declared = typing.declared ?? declarationOf(node.props, typing.isResource);
      if (declared === undefined) return 'invisible';
      node.rules = new NodeRules(node.props, declared);
    }
    const at = { node, value, old, isUnchanged: () => ratchet.isUnchanged(), path: () => this.#trail.path() };
    runRules(node.rules, at, this.#run);
    return node.rules.declared;
  }

  #visitFields(
    object: JsonObject,
    old: JsonValue | undefined,
    node: SchemaNode,
    declared: DeclaredType | undefined,
    ratchet: Ratchet,
  ): void {
    const before = isJsonObject(old) ? old : undefined;
    const { additionalProperties } = node;
    for (const name in object) {
      const property = node.property(name);
      const child = property ?? additionalProperties;
      if (child === undefined || (child.facets & HAS_RULE) === 0) continue;
      if (property === undefined) this.#trail.enterKey(name);
      else this.#trail.enter(name);
      const oldValue = before !== undefined && Object.hasOwn(before, name) ? (before[name] ?? undefined) : undefined;
      const inner = property === undefined ? declared?.element : fieldOf(declared, name);
      this.visit(object[name]!, oldValue, child, { isResource: child.embeddedResource, declared: inner }, ratchet.field(name));
      this.#trail.leave();
      if (this.#run.budget < 0) return;
    }
  }

  #visitItems(list: JsonValue[], old: JsonValue | undefined, node: SchemaNode, declared: DeclaredType | undefined, ratchet: Ratchet): void {
    const { items } = node;
    if (items === undefined || (items.facets & HAS_RULE) === 0) return;
    const before = Array.isArray(old) && node.listType === 'map' ? new KeyedItems(old, node.listMapKeys) : undefined;
    const typing = { isResource: items.embeddedResource, declared: declared?.element };
    for (let index = 0; index < list.length; index++) {
      this.#trail.enter(index);
      this.visit(list[index]!, before?.like(list[index]!), items, typing, ratchet.item(index));
      this.#trail.leave();
      if (this.#run.budget < 0) return;
    }
  }
}

function fieldOf(declared: DeclaredType | undefined, name: string): DeclaredType | undefined {
  const escaped = declared === undefined ? undefined : escapeName(name);
  return escaped === undefined ? undefined : declared!.fields.get(escaped)?.type;
}

/** Rules see typed values only: below a node without a type upstream runs none. */
function isVisible(node: SchemaNode): boolean {
  switch (node.type) {
    case 'any':
      return false;
    case 'array':
      return node.items !== undefined && isVisible(node.items);
    case 'object':
      return node.additionalProperties === undefined || isVisible(node.additionalProperties);
    default:
      return true;
  }
}
