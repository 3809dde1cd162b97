// The objects of --objects.
import type { CustomResourceDefinition } from '@instar/crd';
import { isJsonObject, type JsonObject, type JsonValue, parseYamlDocuments } from '@instar/machinery';
import type { ClusterFlags } from '../../cluster-flags.ts';
import { CommandFailure } from '../../exit-with-message.ts';
import { clusterObjects } from './kube.ts';
import { parseSource, type SourceText } from './parse-source.ts';
import { textsOf } from './texts-of.ts';

export type ObjectsOf = (crd: CustomResourceDefinition) => Promise<readonly JsonObject[]>;

/** A folder is read once, a cluster is asked for each definition. */
export async function openObjects(source: string | undefined, cluster: ClusterFlags): Promise<ObjectsOf> {
  if (source === undefined) return async () => [];
  const place = parseSource(source);
  if (place.kind === 'kube') return (crd) => clusterObjects(cluster, crd);
  const texts = await textsOf(place);
  const all = texts.flatMap((one) => objectsIn(one, texts.length === 1));
  return async ({ spec }) =>
    all.filter(
      ({ apiVersion, kind }) => kind === spec.names.kind && String(apiVersion).startsWith(`${spec.group}/`),
    );
}

/** Files of a folder that are not YAML have no objects; a file that was named must be readable. */
function objectsIn({ file, text }: SourceText, isNamed: boolean): JsonObject[] {
  try {
    return parseYamlDocuments(text).flatMap(({ value }) => unlisted(value));
  } catch (error) {
    if (isNamed) throw new CommandFailure(`${file}: ${(error as Error).message}`);
    return [];
  }
}

function unlisted(value: JsonValue): JsonObject[] {
  if (!isJsonObject(value)) return [];
  return Array.isArray(value['items']) ? value['items'].filter(isJsonObject) : [value];
}
