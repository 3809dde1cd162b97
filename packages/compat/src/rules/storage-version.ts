// The storage version.
import { storageVersionOf } from '@instar/crd';
import type { DefinitionRule } from '../rule.ts';

const BETA = {
  name: 'v1beta1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
};
const V1 = { name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };

export const storageVersion: DefinitionRule = {
  kind: 'definition',
  id: 'storage-version',
  title: 'The storage version changed',
  severity: 'caution',
  breaks: ['operators'],
  keywords: ['spec.versions.storage'],
  explanation:
    'Objects are now stored in the new storage version; objects stored before stay as they are until their next write. The change can be undone only while the old version is still defined, and then what only the new version can hold is lost.',
  instead:
    'First make sure that the conversion works both ways, and migrate stored objects afterwards (`instar migrate`).',
  examples: [
    {
      title: 'from v1beta1 to v1',
      old: { spec: { versions: [BETA, V1] } },
      new: {
        spec: {
          versions: [
            { ...BETA, storage: false },
            { ...V1, storage: true },
          ],
        },
      },
      severity: 'caution',
    },
  ],
  compare: (old, next) => {
    const [was, is] = [storageVersionOf(old)?.name, storageVersionOf(next)?.name];
    return was === is
      ? []
      : [
          {
            severity: 'caution',
            message: `storage version changed from ${was ?? 'none'} to ${is ?? 'none'}`,
          },
        ];
  },
};
