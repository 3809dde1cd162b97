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
    'A value must match exactly one of the alternatives: with fewer, values are refused that matched only the ones that went; with more, values can match two and be refused. Alternatives that changed are compared as a whole: what that means is not decided.',
  instead: 'Keep the alternatives in this version, or say the same with a CEL rule in a new one.',
  examples: [
    { title: 'introduced', old: field({}), new: field({ oneOf: [A, B] }), severity: 'breaking' },
    { title: 'one goes', old: field({ oneOf: [A, B] }), new: field({ oneOf: [A] }), severity: 'breaking' },
    { title: 'one comes', old: field({ oneOf: [A] }), new: field({ oneOf: [A, B] }), severity: 'unsure' },
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
