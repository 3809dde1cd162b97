// The objects of --objects.
import type { CustomResourceDefinition } from '@instar/crd';
import { isJsonObject, type JsonObject, type JsonValue, parseYamlDocuments } from '@instar/machinery';
import type { ClusterFlags } from '../../cluster-flags.ts';
import { readFiles } from './files.ts';
import { readGit } from './git.ts';
import { clusterObjects } from './kube.ts';
import { parseSource } from './parse-source.ts';

export type ObjectsOf = (crd: CustomResourceDefinition) => Promise<readonly JsonObject[]>;

/** A folder is read once, a cluster is asked for each definition. */
export async function openObjects(source: string | undefined, cluster: ClusterFlags): Promise<ObjectsOf> {
  if (source === undefined) return async () => [];
  const place = parseSource(source);
  if (place.kind === 'kube') return (crd) => clusterObjects(cluster, crd);
  const texts = place.kind === 'git' ? await readGit(place.revision, place.path) : await readFiles(place.path);
  const all = texts.flatMap(({ text }) => objectsIn(text));
  return async ({ spec }) =>
    all.filter(({ apiVersion, kind }) => kind === spec.names.kind && String(apiVersion).startsWith(`${spec.group}/`));
}

/** Files that are no YAML hold no objects. */
function objectsIn(text: string): JsonObject[] {
  try {
    return parseYamlDocuments(text).flatMap(({ value }) => unlisted(value));
  } catch {
    return [];
  }
}

function unlisted(value: JsonValue): JsonObject[] {
  if (!isJsonObject(value)) return [];
  return Array.isArray(value['items']) ? value['items'].filter(isJsonObject) : [value];
}
