// oneOf: exclusive alternatives of a value changed.
import { branchChanges } from '../fields/branches.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

const [A, B] = [{ required: ['a'] }, { required: ['b'] }];

export const oneOf: SchemaRule = {
  kind: 'schema',
  id: 'one-of',
  title: 'Exclusive alternatives of a value changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['oneOf'],
  explanation:
    'A value must match exactly one of the alternatives: with fewer, values that matched only removed ones are refused; with more, values can match two and be refused. The effect of a changed alternative is not decided, only reported.',
  instead: 'Keep the alternatives in this version, or express the same with a CEL rule in a new version.',
  examples: [
    { title: 'introduced', old: field({}), new: field({ oneOf: [A, B] }), severity: 'breaking' },
    {
      title: 'one is removed',
      old: field({ oneOf: [A, B] }),
      new: field({ oneOf: [A] }),
      severity: 'breaking',
    },
    { title: 'one is added', old: field({ oneOf: [A] }), new: field({ oneOf: [A, B] }), severity: 'unsure' },
    { title: 'one changes', old: field({ oneOf: [A] }), new: field({ oneOf: [B] }), severity: 'unsure' },
    { title: 'removed', old: field({ oneOf: [A, B] }), new: field({}), severity: 'safe' },
    {
      title: 'another order',
      old: field({ oneOf: [A, B] }),
      new: field({ oneOf: [B, A] }),
      severity: 'none',
    },
  ],
  compare: (pair) => compare(pair),
};

function compare({ old, new: next }: NodePair): Change[] {
  const { before, after, removed, added } = branchChanges(old, next, 'oneOf');
  if (removed === 0 && added === 0) return [];
  if (before === 0) return [{ severity: 'breaking', message: `must match one of ${after} alternatives now` }];
  if (after === 0)
    return [{ severity: 'safe', message: 'no longer has to match one of several alternatives', breaks: [] }];
  if (removed > 0 && added > 0)
    return [{ severity: 'unsure', message: `${removed} of ${before} alternatives changed` }];
  if (removed > 0) return [{ severity: 'breaking', message: `${removed} of ${before} alternatives removed` }];
  return [{ severity: 'unsure', message: 'more alternatives: a value that matches two of them is refused' }];
}

function field(more: object): object {
  return {
    type: 'object',
    properties: {
      target: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, ...more },
    },
  };
}
