// How tables show the access modes of volumes and claims: RWO,ROX,….
import type { JsonValue } from '@instar/machinery';

const SHORT = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

export const accessModesText = (modes: JsonValue | undefined): string =>
  SHORT.filter(([mode]) => Array.isArray(modes) && modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
