// A version that is no longer defined.
import type { DefinitionRule } from '../rule.ts';

const BETA = {
  name: 'v1beta1',
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
};
const V1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };

export const versionRemoved: DefinitionRule = {
  kind: 'definition',
  id: 'version-removed',
  title: 'A version was removed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'operators'],
  keywords: ['spec.versions'],
  explanation:
    'Requests for a version that is not defined get 404: every client and manifest that names it stops working. A version that was not served before can be removed safely.',
  instead:
    'Deprecate the version (deprecated: true), find out which clients still use it, stop serving it for a release, migrate stored objects, remove the version from status.storedVersions, and only then remove it.',
  examples: [
    {
      title: 'it was served',
      old: { spec: { versions: [BETA, V1] } },
      new: { spec: { versions: [V1] } },
      severity: 'breaking',
    },
    {
      title: 'it was not served',
      old: { spec: { versions: [{ ...BETA, served: false }, V1] } },
      new: { spec: { versions: [V1] } },
      severity: 'safe',
    },
  ],
  compare: (old, next) =>
    old.spec.versions
      .filter(({ name }) => !next.spec.versions.some((version) => version.name === name))
      .map(({ name: version, served }) =>
        served
          ? { version, severity: 'breaking', message: 'served version removed: requests for it get 404' }
          : { version, severity: 'safe', message: 'version removed; it was not served', breaks: [] },
      ),
};
