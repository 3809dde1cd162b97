// Values that an enum no longer accepts.
import type { SchemaRule } from '../rule.ts';
import { enumOf, isSame, show } from '../walk/node-pair.ts';

export const enumValueRemoved: SchemaRule = {
  kind: 'schema',
  id: 'enum-value-removed',
  title: 'An enum accepts fewer values',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['enum'],
  explanation:
    'Writes of a removed value are refused. Stored objects that hold it cannot be updated unless the API server ratchets validation (Kubernetes 1.30 and later).',
  instead: 'Keep the value, and document that it is deprecated and what it means now.',
  examples: [
    {
      title: 'a value is removed',
      old: field({ enum: ['round', 'square'] }),
      new: field({ enum: ['round'] }),
      severity: 'breaking',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [enumOf(old), enumOf(next)];
    const removed =
      was === undefined || is === undefined
        ? []
        : was.filter((value) => !is.some((other) => isSame(value, other)));
    const key = removed.map(show).join(', ');
    return removed.length === 0
      ? []
      : [{ severity: 'breaking', message: `enum no longer accepts ${key}`, key }];
  },
};

function field(more: object): object {
  return { type: 'object', properties: { type: { type: 'string', ...more } } };
}
