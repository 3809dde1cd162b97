// A new version.
import type { DefinitionRule } from '../rule.ts';

const V1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const V2 = { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };

export const versionAdded: DefinitionRule = {
  kind: 'definition',
  id: 'version-added',
  title: 'A version was added',
  severity: 'safe',
  breaks: [],
  keywords: ['spec.versions'],
  explanation:
    'An additional version breaks no client. What it can hold of the other versions is compared for each pair of served versions.',
  instead: 'Nothing to do.',
  examples: [
    {
      title: 'v2 beside v1',
      old: { spec: { versions: [V1] } },
      new: { spec: { versions: [V1, V2] } },
      severity: 'safe',
    },
  ],
  compare: (old, next) =>
    next.spec.versions
      .filter(({ name }) => !old.spec.versions.some((version) => version.name === name))
      .map(({ name: version, served }) => ({
        version,
        severity: 'safe',
        message: served ? 'version added' : 'version added, not served yet',
      })),
};
