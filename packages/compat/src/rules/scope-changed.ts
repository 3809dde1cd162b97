// Whether objects are namespaced.
import type { DefinitionRule } from '../rule.ts';

export const scopeChanged: DefinitionRule = {
  kind: 'definition',
  id: 'scope-changed',
  title: 'The scope of the resource changed',
  severity: 'breaking',
  fundamental: true,
  breaks: ['writers', 'readers', 'stored objects', 'operators'],
  keywords: ['spec.scope'],
  explanation:
    'Every path and every permission changes when a resource becomes namespaced or cluster-scoped. The API server refuses the change on an existing definition.',
  instead: 'Define a new resource.',
  examples: [
    { title: 'no longer namespaced', old: {}, new: { spec: { scope: 'Cluster' } }, severity: 'breaking' },
  ],
  compare: (old, next) =>
    old.spec.scope === next.spec.scope
      ? []
      : [{ severity: 'breaking', message: `scope changed from ${old.spec.scope} to ${next.spec.scope}` }],
};
