// Labels and annotations of the definition itself, and the apiVersion that it is written in.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { DefinitionRule } from '../rule.ts';

export const metadata: DefinitionRule = {
  kind: 'definition',
  id: 'metadata',
  title: 'Labels or annotations of the definition changed',
  severity: 'safe',
  breaks: [],
  keywords: ['metadata'],
  explanation: 'The metadata of a definition does not affect its objects.',
  instead: 'Nothing to do.',
  examples: [
    { title: 'a label is added', old: {}, new: { metadata: { labels: { release: 'x' } } }, severity: 'safe' },
  ],
  compare: (old, next) =>
    (['labels', 'annotations'] as const)
      .filter(
        (part) =>
          !deepEqual(
            old.metadata[part] as JsonValue | undefined,
            next.metadata[part] as JsonValue | undefined,
          ),
      )
      .map((part) => ({ severity: 'safe', message: `${part} of the definition changed` })),
};
