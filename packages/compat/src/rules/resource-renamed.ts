// Another group, kind or plural: another resource.
import type { DefinitionRule } from '../rule.ts';

export const resourceRenamed: DefinitionRule = {
  kind: 'definition',
  id: 'resource-renamed',
  title: 'The resource has another group, kind or plural',
  severity: 'breaking',
  fundamental: true,
  breaks: ['writers', 'readers', 'stored objects', 'operators'],
  keywords: ['metadata.name', 'spec.group', 'spec.names.kind', 'spec.names.plural'],
  explanation:
    'Group, plural and kind identify the resource. If one of them changes, it is another resource: every path, manifest, RBAC rule and owner reference that names the old one is wrong, and existing objects are not part of the new one. The API server refuses to change the group or the plural of an existing definition.',
  instead:
    'Define the new resource beside the old one, and move the objects with a controller or a tool before you remove the old one.',
  examples: [
    { title: 'another kind', old: {}, new: { spec: { names: { kind: 'Gadget' } } }, severity: 'breaking' },
    {
      title: 'another group',
      old: {},
      new: { metadata: { name: 'widgets.example.org' }, spec: { group: 'example.org' } },
      severity: 'breaking',
    },
  ],
  compare: (old, next) => {
    const pairs = [
      ['group', old.spec.group, next.spec.group],
      ['kind', old.spec.names.kind, next.spec.names.kind],
      ['plural', old.spec.names.plural, next.spec.names.plural],
    ] as const;
    return pairs
      .filter(([, was, is]) => was !== is)
      .map(([what, was, is]) => ({
        severity: 'breaking',
        message: `${what} changed from ${was} to ${is}: this is another resource`,
      }));
  },
};
