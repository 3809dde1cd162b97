// Names of the resource other than kind and plural.
import type { CustomResourceDefinitionNames } from '@instar/crd';
import type { Change, DefinitionRule } from '../rule.ts';

export const namesChanged: DefinitionRule = {
  kind: 'definition',
  id: 'names-changed',
  title: 'Singular, short names, categories or list kind changed',
  severity: 'breaking',
  breaks: ['readers', 'operators'],
  keywords: ['spec.names.singular', 'spec.names.shortNames', 'spec.names.categories', 'spec.names.listKind'],
  explanation:
    'Users and scripts rely on short names and categories; clients decode lists by their kind. A new name that another resource already uses is not accepted.',
  instead: 'Keep the names that are in use, and add new ones beside them.',
  examples: [
    {
      title: 'a short name is removed',
      old: { spec: { names: { shortNames: ['wd'] } } },
      new: {},
      severity: 'caution',
    },
    {
      title: 'a category is added',
      old: {},
      new: { spec: { names: { categories: ['all'] } } },
      severity: 'safe',
    },
    {
      title: 'lists have another kind',
      old: {},
      new: { spec: { names: { listKind: 'Widgets' } } },
      severity: 'breaking',
    },
  ],
  compare: ({ spec: { names: was } }, { spec: { names: is } }) => [
    ...(was.kind !== is.kind || was.listKind === is.listKind
      ? []
      : [
          {
            severity: 'breaking',
            message: `list kind changed from ${was.listKind} to ${is.listKind}: clients decode lists by it`,
          } as const,
        ]),
    ...(was.kind !== is.kind || was.singular === is.singular
      ? []
      : [
          {
            severity: 'caution',
            message: `singular changed from ${was.singular} to ${is.singular}`,
          } as const,
        ]),
    ...listChanges(was, is, 'shortNames', 'short names'),
    ...listChanges(was, is, 'categories', 'categories'),
  ],
};

function listChanges(
  was: CustomResourceDefinitionNames,
  is: CustomResourceDefinitionNames,
  key: 'shortNames' | 'categories',
  title: string,
): Change[] {
  const [before, after] = [was[key] ?? [], is[key] ?? []];
  const gone = before.filter((name) => !after.includes(name));
  const came = after.filter((name) => !before.includes(name));
  return [
    ...(gone.length > 0
      ? [{ severity: 'caution', message: `${title} removed: ${gone.join(', ')}` } as const]
      : []),
    ...(came.length > 0
      ? [{ severity: 'safe', message: `${title} added: ${came.join(', ')}`, breaks: [] } as const]
      : []),
  ];
}
