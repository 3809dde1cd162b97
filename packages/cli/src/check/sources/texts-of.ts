// The texts of a source that is not a cluster.
import { readFiles } from './files.ts';
import { readGit } from './git.ts';
import type { Source, SourceText } from './parse-source.ts';
import { readHelm, readKustomize } from './rendered.ts';

export function textsOf(place: Exclude<Source, { kind: 'kube' }>): Promise<SourceText[]> {
  switch (place.kind) {
    case 'git':
      return readGit(place.revision, place.path);
    case 'kustomize':
      return readKustomize(place.directory);
    case 'helm':
      return readHelm(place.chart, place.values);
    default:
      return readFiles(place.path);
  }
}
