// Versions in which objects may be stored.
import type { DefinitionRule } from '../rule.ts';

const BETA = {
  name: 'v1beta1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
};
const V1 = { name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };

export const storedVersions: DefinitionRule = {
  kind: 'definition',
  id: 'stored-versions',
  title: 'A version was removed in which objects may be stored',
  severity: 'breaking',
  breaks: ['operators', 'stored objects'],
  keywords: ['status.storedVersions'],
  explanation:
    'The API server refuses a definition without a version that status.storedVersions lists: objects stored in it could no longer be read. If the old definition has no status, its storage version is used.',
  instead:
    'Keep the version with served: false, migrate stored objects (`instar migrate`), remove the version from status.storedVersions, then from the definition.',
  examples: [
    {
      title: 'the storage version is removed',
      old: { spec: { versions: [BETA, V1] } },
      new: { spec: { versions: [{ ...V1, storage: true }] } },
      severity: 'breaking',
    },
    {
      title: 'its objects were migrated before',
      old: {
        spec: {
          versions: [
            { ...BETA, storage: false },
            { ...V1, storage: true },
          ],
        },
        status: { storedVersions: ['v1'] },
      },
      new: { spec: { versions: [{ ...V1, storage: true }] } },
      severity: 'none',
    },
  ],
  compare: (old, next) =>
    (old.status.storedVersions ?? [])
      .filter((name) => !next.spec.versions.some((version) => version.name === name))
      .map((version) => ({
        version,
        severity: 'breaking',
        message: 'objects may be stored in this version: the API server refuses to remove it',
      })),
};
