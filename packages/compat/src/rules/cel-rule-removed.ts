// A removed rule.
import type { ValidationRule } from '@instar/schema';
import { ruleChangesOf, shown } from '../fields/rule-changes.ts';
import type { SchemaRule } from '../rule.ts';

export const celRuleRemoved: SchemaRule = {
  kind: 'schema',
  id: 'cel-rule-removed',
  title: 'A validation rule was removed',
  severity: 'safe',
  breaks: [],
  keywords: ['x-kubernetes-validations'],
  explanation:
    'Validation is looser: everything that was valid still is. Readers that relied on the rule must handle what it refused, and it cannot be added again in this version.',
  instead: 'Nothing to do, if every reader handles what the rule refused.',
  examples: [
    { title: 'removed', old: field([{ rule: 'self.size <= 3' }]), new: field([]), severity: 'safe' },
  ],
  compare: (pair) =>
    ruleChangesOf(pair).removed.map((rule) => ({
      severity: 'safe',
      message: `rule removed: ${shown(rule)}`,
    })),
};

function field(rules: ValidationRule[]): object {
  const properties = { size: { type: 'integer' } };
  return {
    type: 'object',
    properties: {
      shape: { type: 'object', required: ['size'], properties, 'x-kubernetes-validations': rules },
    },
  };
}
