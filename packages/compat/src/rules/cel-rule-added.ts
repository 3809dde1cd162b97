// A new rule: does it refuse values that were valid?
import type { ValidationRule } from '@instar/schema';
import { fieldChangesOf } from '../fields/field-changes.ts';
import { ruleChangesOf, shown } from '../fields/rule-changes.ts';
import { isWeakerTogether } from '../fields/weaker-together.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

export const celRuleAdded: SchemaRule = {
  kind: 'schema',
  id: 'cel-rule-added',
  title: 'A validation rule was added',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['x-kubernetes-validations'],
  explanation:
    'An additional rule is stricter validation. The rule is run on generated values that the old schema accepts, including the numbers and strings that the rule mentions; a value that is refused is shown. If none is, the rule might still refuse others: that is reported as unsure, or as a caution if the rule mentions a field that is itself new. Rules with oldSelf are run on pairs of values.',
  instead:
    'Add the rule in a new version, or only warn at first (a ValidatingAdmissionPolicy with Warn) and check stored objects with --objects.',
  examples: [
    {
      title: 'refuses what was valid',
      old: field([]),
      new: field([{ rule: 'self.size <= 3' }]),
      severity: 'breaking',
    },
    {
      title: 'makes a field immutable',
      old: field([]),
      new: field([{ rule: 'self.size == oldSelf.size' }]),
      severity: 'breaking',
    },
    {
      title: 'refuses no generated value',
      old: field([]),
      new: field([{ rule: 'self.size < 10 || self.size >= 10' }]),
      severity: 'unsure',
    },
    {
      title: 'keeps unique what was a set',
      old: list({ 'x-kubernetes-list-type': 'set' }),
      new: list({ 'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists_one(y, x == y))' }] }),
      severity: 'safe',
    },
    {
      title: 'allows to change what a replaced rule kept as it was',
      old: immutable([{ rule: '!has(oldSelf.pool) || self == oldSelf' }]),
      new: immutable([
        { rule: '!has(oldSelf.pool) || (has(self.pool) && self.pool == oldSelf.pool)' },
        { rule: '!has(oldSelf.pool) || has(self.color) == has(oldSelf.color)' },
      ]),
      severity: 'safe',
    },
    {
      title: 'mentions a new field',
      old: field([]),
      new: field([{ rule: '!has(self.color) || self.size > 1' }], { color: { type: 'string' } }),
      severity: 'caution',
    },
  ],
  compare: (pair) => ruleChangesOf(pair).added.map((rule) => ({ ...addition(pair, rule), key: rule.rule })),
};

function addition(pair: NodePair, rule: ValidationRule): Change {
  const message = `rule added: ${shown(rule)}`;
  const { before, after } = ruleChangesOf(pair);
  const verdict = pair.context.judgeRules(pair, before, [rule]);
  if (verdict === undefined)
    return { severity: 'unsure', message: `${message}; it could not be run on generated values` };
  const { tried, refused, given } = verdict;
  const ofGiven = given.tried > 0 ? `, ${given.refused} of ${given.tried} existing ones` : '';
  if (refused.length > 0) {
    const evidence = refused.slice(0, 3).map((text) => ({ text: `${text} was valid and is refused` }));
    return {
      severity: 'breaking',
      message: `${message}; it refuses values that were valid${ofGiven}`,
      evidence,
    };
  }
  if (before.length > 0 && isWeakerTogether(pair, before, after))
    return {
      severity: 'safe',
      message: `${message}; the rules together refuse less than before`,
      breaks: [],
    };
  if (keepsItemsUnique(pair, rule))
    return {
      severity: 'safe',
      message: `${message}; it keeps items unique, as the list type did`,
      breaks: [],
    };
  const { added, renamed } = fieldChangesOf(pair);
  const news = [...added, ...renamed.map(({ to }) => to)].filter((name) =>
    new RegExp(`\\b${escaped(name)}\\b`).test(rule.rule),
  );
  if (news.length > 0)
    return { severity: 'caution', message: `${message}; it mentions ${news.join(', ')}, which is new` };
  return {
    severity: 'unsure',
    message: `${message}; it refused none of ${tried + given.tried} values that were valid${ofGiven}`,
  };
}

/** Whether the list was a set, and the rule refuses its duplicates and nothing else. */
function keepsItemsUnique(pair: NodePair, rule: ValidationRule): boolean {
  const { old, new: next } = pair;
  if (old['x-kubernetes-list-type'] !== 'set' || next['x-kubernetes-list-type'] === 'set') return false;
  const plain: NodePair = { ...pair, old: { ...old, 'x-kubernetes-list-type': 'atomic' } };
  const verdict = pair.context.judgeRules(plain, [], [rule]);
  return verdict !== undefined && verdict.refused.length > 0;
}

const escaped = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '\\$&');

function field(rules: ValidationRule[], more: object = {}): object {
  const properties = { size: { type: 'integer', minimum: 0 }, ...more };
  return {
    type: 'object',
    properties: {
      shape: { type: 'object', required: ['size'], properties, 'x-kubernetes-validations': rules },
    },
  };
}

function list(more: object): object {
  const names = { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 9 }, ...more };
  return { type: 'object', properties: { names } };
}

function immutable(rules: ValidationRule[]): object {
  const text = { type: 'string', maxLength: 9 };
  const properties = { pool: text, color: text, size: { type: 'integer' } };
  return {
    type: 'object',
    properties: { shape: { type: 'object', properties, 'x-kubernetes-validations': rules } },
  };
}
