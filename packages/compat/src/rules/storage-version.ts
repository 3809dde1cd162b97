// The version in which objects are stored.
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
  title: 'Objects are stored in another version',
  severity: 'caution',
  breaks: ['operators'],
  keywords: ['spec.versions.storage'],
  explanation:
    'Objects are written in the new storage version from now on; those stored before stay as they are until somebody writes them. Going back is possible only while the old version is still defined, and whatever only the new version holds is lost then.',
  instead:
    'Make sure that the conversion works both ways first, and migrate what is stored afterwards (`instar migrate`).',
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
