/**
 * Every rule of the corpus, compiled against its schema node. The API server accepted all of them, so each
 * must compile within the cost limit of a rule. The corpus is outside the repository: in $INSTAR_SHARED, or
 * in ../shared beside it.
 */

import { parseYaml } from '@instar/machinery';
import { describeUnless, missingCorpus, readCorpus } from '@instar/testing';
import { expect, it } from 'vitest';
import { escapeName } from './escaping.ts';
import { staticDefinitionCostLimit, staticRuleCostLimit } from './limits.ts';
import { RuleScope, type RuleSource } from './rule.ts';
import { type DeclaredType, declareType } from './schema/declared-type.ts';
import { type SchemaNode, valueSchemaOf } from './schema/schema-node.ts';

interface Node extends SchemaNode {
  readonly 'x-kubernetes-validations'?: readonly RuleSource[];
}

interface CorpusRule {
  readonly rule: string;
  readonly occurrences: readonly {
    readonly file: string;
    readonly path: string;
    readonly ruleIndex: number;
  }[];
}

interface Definition {
  readonly spec: {
    readonly versions?: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: Node };
    }[];
  };
}

/** A rule of the corpus, with the cost that the API server would compare with its limit. */
interface Found {
  readonly place: string;
  readonly rule: string;
  readonly error: string | undefined;
  readonly cost: number;
}

/**
 * Walks as the validation of definitions does: the cardinality is the product of the bounds on the path,
 * unless one is missing.
 */
function* rulesOf(
  node: Node,
  type: DeclaredType | undefined,
  place: string,
  cardinality: number | undefined,
): Generator<Found> {
  const rules = node['x-kubernetes-validations'] ?? [];
  if (rules.length > 0 && type === undefined) yield { place, rule: '', error: 'no type', cost: 0 };
  if (rules.length > 0 && type !== undefined) {
    const scope = new RuleScope(type);
    for (const source of rules) {
      const compiled = scope.compile(source);
      const error = compiled.error ?? compiled.messageExpressionError;
      yield {
        place,
        rule: source.rule,
        error,
        cost: (compiled.rule?.maxCost ?? 0) * (cardinality ?? scope.maxCardinality),
      };
    }
  }
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    const field = type?.fields.get(escapeName(name) ?? '')?.type ?? declareType(property);
    yield* rulesOf(property, field, `${place}.${name}`, cardinality);
  }
  if (node.items !== undefined)
    yield* rulesOf(node.items, type?.element, `${place}[]`, times(cardinality, node.maxItems));
  const values = valueSchemaOf(node);
  if (values !== undefined)
    yield* rulesOf(values, type?.element, `${place}{}`, times(cardinality, node.maxProperties));
}

function times(cardinality: number | undefined, bound: number | bigint | undefined): number | undefined {
  return cardinality === undefined || bound === undefined ? undefined : cardinality * Number(bound);
}

function rulesOfFile(file: string): Found[] {
  const definition = parseYaml(readCorpus(file)).value as unknown as Definition;
  return (definition.spec.versions ?? []).flatMap((version) => {
    const root = version.schema?.openAPIV3Schema;
    return root === undefined ? [] : [...rulesOf(root, declareType(root, true), version.name, 1)];
  });
}

describeUnless(missingCorpus(), 'the rules of the corpus', () => {
  it('compile within the cost limits', { timeout: 120_000 }, () => {
    const listed = JSON.parse(readCorpus('cel/cel-rules.json')) as CorpusRule[];
    const files = new Set(listed.flatMap(({ occurrences }) => occurrences.map(({ file }) => file)));
    const compiled = new Set<string>();
    const wrong: string[] = [];
    for (const file of files) {
      const found = rulesOfFile(file);
      for (const { place, rule, error, cost } of found) {
        compiled.add(rule);
        if (error !== undefined) wrong.push(`${file} ${place}: ${rule}: ${error}`);
        if (cost > staticRuleCostLimit) wrong.push(`${file} ${place}: ${rule}: costs ${cost}`);
      }
      const total = found.reduce((sum, { cost }) => sum + cost, 0);
      if (total > staticDefinitionCostLimit * new Set(found.map(({ place }) => place.split('.')[0])).size)
        wrong.push(`${file}: costs ${total}`);
    }
    expect(wrong).toEqual([]);
    expect(listed.filter(({ rule }) => !compiled.has(rule)).map(({ rule }) => rule)).toEqual([]);
  });
});
