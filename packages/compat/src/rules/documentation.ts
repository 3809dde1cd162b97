// Keywords that only document.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { SchemaRule } from '../rule.ts';

const TEXTS = ['description', 'title', 'example', 'externalDocs', '$schema', 'id'] as const;

export const documentation: SchemaRule = {
  kind: 'schema',
  id: 'documentation',
  title: 'Descriptions changed',
  severity: 'safe',
  breaks: [],
  keywords: TEXTS,
  explanation:
    'Descriptions, titles and examples are not enforced. They can still change what a field means, and only a human reader can see such a change. Reported once per version, with the number of fields.',
  instead: 'If the meaning of a field changed, add a new field instead.',
  examples: [
    {
      title: 'a description is reworded',
      old: { type: 'object', properties: { size: { type: 'integer', description: 'The size.' } } },
      new: { type: 'object', properties: { size: { type: 'integer', description: 'How large it is.' } } },
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) =>
    TEXTS.some((key) => !deepEqual(old[key] as JsonValue | undefined, next[key] as JsonValue | undefined))
      ? [{ severity: 'safe', message: 'description changed' }]
      : [],
};
