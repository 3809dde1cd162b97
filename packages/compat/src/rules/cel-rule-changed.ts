// A changed rule: weaker, stronger, or neither.
import type { ValidationRule } from '@instar/schema';
import { type RuleChanges, ruleChangesOf, shown } from '../fields/rule-changes.ts';
import { isWeakerTogether } from '../fields/weaker-together.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

export const celRuleChanged: SchemaRule = {
  kind: 'schema',
  id: 'cel-rule-changed',
  title: 'A validation rule changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['x-kubernetes-validations'],
  explanation:
    'An old and a new rule belong together if they have the same message or most of their words in common. Both are run on generated values: the new one is stronger if it refuses a value that the old one accepts, and weaker if it only accepts more. If no value distinguishes them, that is reported as unsure. A new message for the same rule is safe.',
  instead: 'Within a version, only loosen rules.',
  examples: [
    { title: 'stronger', old: field('self.size <= 9'), new: field('self.size <= 3'), severity: 'breaking' },
    { title: 'weaker', old: field('self.size <= 3'), new: field('self.size <= 9'), severity: 'safe' },
    {
      title: 'no value distinguishes them',
      old: field('self.size <= 3'),
      new: field('self.size < 4'),
      severity: 'unsure',
    },
    {
      title: 'another message',
      old: field('self.size <= 3', 'too large'),
      new: field('self.size <= 3', 'at most 3'),
      severity: 'safe',
    },
  ],
  compare: (pair) => {
    const changes = ruleChangesOf(pair);
    const { changed, reworded } = changes;
    return [
      ...changed.map(({ from, to }) => ({ ...change(pair, from, to, changes), key: to.rule })),
      ...reworded.map(
        (rule): Change => ({
          severity: 'safe',
          message: `message of the rule changed: ${shown(rule)}`,
          breaks: [],
        }),
      ),
    ];
  },
};

function change(
  pair: NodePair,
  from: ValidationRule,
  to: ValidationRule,
  { before, after }: Pick<RuleChanges, 'before' | 'after'>,
): Change {
  const message = `rule changed from ${shown(from)} to ${shown(to)}`;
  const verdict = pair.context.judgeRules(pair, [from], [to]);
  if (verdict === undefined)
    return { severity: 'unsure', message: `${message}; they could not be run on generated values` };
  const { tried, admitted, given } = verdict;
  // What another old rule refused as well is not newly refused.
  const refused =
    verdict.refused.length === 0 || before.length < 2
      ? verdict.refused
      : (pair.context.judgeRules(pair, before, [to])?.refused ?? verdict.refused);
  const ofGiven = given.tried > 0 ? `, and refuses ${given.refused} of ${given.tried} existing values` : '';
  if (refused.length > 0) {
    const evidence = refused.slice(0, 3).map((text) => ({ text: `${text} was valid and is refused` }));
    return {
      severity: 'breaking',
      message: `${message}; it is ${admitted.length > 0 ? 'neither stronger nor weaker' : 'stronger'}${ofGiven}`,
      evidence,
    };
  }
  if (admitted.length > 0) {
    return {
      severity: 'safe',
      message: `${message}; it is weaker on ${tried} generated values`,
      breaks: [],
      evidence: [{ text: `${admitted[0]} was refused and is valid` }],
    };
  }
  if (after.length > 1 && isWeakerTogether(pair, before, after))
    return {
      severity: 'safe',
      message: `${message}; the rules together refuse less than before`,
      breaks: [],
    };
  return { severity: 'unsure', message: `${message}; none of ${tried} generated values distinguishes them` };
}

function field(rule: string, message?: string): object {
  const rules = [message === undefined ? { rule } : { rule, message }];
  const properties = { size: { type: 'integer', minimum: 0 } };
  return {
    type: 'object',
    properties: {
      shape: { type: 'object', required: ['size'], properties, 'x-kubernetes-validations': rules },
    },
  };
}
