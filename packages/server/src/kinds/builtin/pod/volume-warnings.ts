// Files of a volume that hide each other.
import { quoteGo } from '@instar/go';
import type { Projection, Volume } from '../../validate/pod/pod-types.ts';

interface File {
  readonly path: string;
  readonly source: string;
}

export function volumeWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const warn = (of: string, files: readonly File[]): string[] =>
      overlaps(files).map((text) => `volume ${quoteGo(volume.name)} (${of}): overlapping paths: ${text}`);
    const { configMap, secret, downwardAPI, projected } = volume;
    return [
      ...warn(`ConfigMap ${quoteGo(configMap?.name ?? '')}`, filesOf(configMap?.items, '')),
      ...warn(`Secret ${quoteGo(secret?.secretName ?? '')}`, filesOf(secret?.items, '')),
      ...warn('DownwardAPI', filesOf(downwardAPI?.items, '')),
      ...(projected?.sources ?? []).flatMap((source) =>
        Object.keys(source).length === 0
          ? [`volume ${quoteGo(volume.name)} (Projected) has no sources provided`]
          : [],
      ),
      ...warn('Projected', (projected?.sources ?? []).flatMap(projectedFiles)),
    ];
  });
}

const filesOf = (items: readonly { path: string }[] = [], source: string): File[] =>
  items.map(({ path }) => ({ path: path.replace(/\/+$/, ''), source }));

function projectedFiles({ configMap, secret, downwardAPI, serviceAccountToken }: Projection): File[] {
  if (configMap?.items !== undefined)
    return filesOf(configMap.items, `ConfigMap ${quoteGo(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return filesOf(secret.items, `Secret ${quoteGo(secret.name ?? '')}`);
  if (downwardAPI?.items !== undefined) return filesOf(downwardAPI.items, 'DownwardAPI');
  return serviceAccountToken === undefined ? [] : filesOf([serviceAccountToken], 'ServiceAccountToken');
}

const shown = ({ path, source }: File): string =>
  source === '' ? quoteGo(path) : `${quoteGo(path)} (${source})`;

function overlaps(files: readonly File[]): string[] {
  return files.flatMap((file, index) =>
    files
      .slice(0, index)
      .filter(({ path }) => path !== '' && file.path !== '' && areNested(path, file.path))
      .map((other) => `${shown(file)} with ${shown(other)}`),
  );
}

const areNested = (a: string, b: string): boolean =>
  `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
