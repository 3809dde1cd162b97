// Namespaced or not.
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
    'Objects move between namespaces and the cluster: every path and every permission changes. The API server refuses it on an existing definition.',
  instead: 'Define another resource.',
  examples: [
    { title: 'no longer namespaced', old: {}, new: { spec: { scope: 'Cluster' } }, severity: 'breaking' },
  ],
  compare: (old, next) =>
    old.spec.scope === next.spec.scope
      ? []
      : [{ severity: 'breaking', message: `scope changed from ${old.spec.scope} to ${next.spec.scope}` }],
};
