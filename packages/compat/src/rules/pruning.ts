// spec.preserveUnknownFields, which v1beta1 had switched on.
import type { DefinitionRule } from '../rule.ts';

export const pruning: DefinitionRule = {
  kind: 'definition',
  id: 'pruning',
  title: 'Whether undeclared fields are dropped changed',
  severity: 'caution',
  breaks: ['stored objects'],
  keywords: ['spec.preserveUnknownFields'],
  explanation:
    'With spec.preserveUnknownFields: true, which v1beta1 has by default and v1 forbids for new definitions, objects keep fields that no schema declares. Without it they lose them at their next write. Whoever keeps to the schema notices nothing.',
  instead: 'Check stored objects with --objects first, and declare what they hold.',
  examples: [
    {
      title: 'undeclared fields are dropped',
      old: { spec: { preserveUnknownFields: true } },
      new: {},
      severity: 'caution',
    },
    {
      title: 'undeclared fields are kept',
      old: {},
      new: { spec: { preserveUnknownFields: true } },
      severity: 'safe',
    },
  ],
  compare: (old, next) => {
    const [was, is] = [old, next].map(({ spec }) => spec.preserveUnknownFields === true);
    if (was === is) return [];
    return is
      ? [{ severity: 'safe', message: 'undeclared fields are kept now', breaks: [] }]
      : [{ severity: 'caution', message: 'undeclared fields were kept, and are dropped now' }];
  },
};
