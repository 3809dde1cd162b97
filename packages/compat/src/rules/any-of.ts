// anyOf: alternatives of a value changed.
import { branchChanges } from '../fields/branches.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

const [A, B] = [{ required: ['a'] }, { required: ['b'] }];

export const anyOf: SchemaRule = {
  kind: 'schema',
  id: 'any-of',
  title: 'Alternatives of a value changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['anyOf'],
  explanation:
    'A value must match at least one of the alternatives: with fewer of them, values that matched only removed ones are refused; with more, the schema is looser. The effect of a changed alternative is not decided, only reported.',
  instead: 'Keep the alternatives in this version, or express the same with a CEL rule in a new version.',
  examples: [
    { title: 'introduced', old: field({}), new: field({ anyOf: [A, B] }), severity: 'breaking' },
    {
      title: 'one is removed',
      old: field({ anyOf: [A, B] }),
      new: field({ anyOf: [A] }),
      severity: 'breaking',
    },
    { title: 'one is added', old: field({ anyOf: [A] }), new: field({ anyOf: [A, B] }), severity: 'safe' },
    { title: 'one changes', old: field({ anyOf: [A] }), new: field({ anyOf: [B] }), severity: 'unsure' },
    { title: 'removed', old: field({ anyOf: [A, B] }), new: field({}), severity: 'safe' },
    {
      title: 'another order',
      old: field({ anyOf: [A, B] }),
      new: field({ anyOf: [B, A] }),
      severity: 'none',
    },
  ],
  compare: (pair) => compare(pair),
};

function compare({ old, new: next }: NodePair): Change[] {
  const { before, after, removed, added } = branchChanges(old, next, 'anyOf');
  if (removed === 0 && added === 0) return [];
  if (before === 0) return [{ severity: 'breaking', message: `must match one of ${after} alternatives now` }];
  if (after === 0)
    return [{ severity: 'safe', message: 'no longer has to match one of several alternatives', breaks: [] }];
  if (removed > 0 && added > 0)
    return [{ severity: 'unsure', message: `${removed} of ${before} alternatives changed` }];
  if (removed > 0) return [{ severity: 'breaking', message: `${removed} of ${before} alternatives removed` }];
  return [{ severity: 'safe', message: 'more alternatives: the schema is looser', breaks: [] }];
}

function field(more: object): object {
  return {
    type: 'object',
    properties: {
      target: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, ...more },
    },
  };
}
