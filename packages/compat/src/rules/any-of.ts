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
    'A value must match at least one of the alternatives: with fewer of them, values are refused that matched only the ones that went; with more, the schema is looser. Alternatives that changed are compared as a whole: what that means is not decided.',
  instead: 'Keep the alternatives in this version, or say the same with a CEL rule in a new one.',
  examples: [
    { title: 'introduced', old: field({}), new: field({ anyOf: [A, B] }), severity: 'breaking' },
    { title: 'one goes', old: field({ anyOf: [A, B] }), new: field({ anyOf: [A] }), severity: 'breaking' },
    { title: 'one comes', old: field({ anyOf: [A] }), new: field({ anyOf: [A, B] }), severity: 'safe' },
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
