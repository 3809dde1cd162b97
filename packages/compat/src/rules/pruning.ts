// spec.preserveUnknownFields, which is true by default in v1beta1.
import type { DefinitionRule } from '../rule.ts';

export const pruning: DefinitionRule = {
  kind: 'definition',
  id: 'pruning',
  title: 'Whether undeclared fields are pruned changed',
  severity: 'caution',
  breaks: ['stored objects'],
  keywords: ['spec.preserveUnknownFields'],
  explanation:
    'With spec.preserveUnknownFields: true, which v1beta1 has by default and v1 forbids for new definitions, objects keep fields that no schema declares. Without it they lose them at their next write. Objects without such fields are not affected.',
  instead: 'First check stored objects with --objects, and declare the fields that they have.',
  examples: [
    {
      title: 'undeclared fields are pruned',
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
      ? [{ severity: 'safe', message: 'undeclared fields are now kept', breaks: [] }]
      : [{ severity: 'caution', message: 'undeclared fields were kept, and are now pruned' }];
  },
};
