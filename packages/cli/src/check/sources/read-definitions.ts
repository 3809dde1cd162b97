// Reads definitions from a source of the command line. In a folder, what cannot be parsed is skipped with a
// warning (Helm templates are often beside definitions); a file that was named must be readable.

import { isDefinition } from '@instar/compat';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { ClusterFlags } from '../../cluster-flags.ts';
import { CommandFailure } from '../../exit-with-message.ts';
import { clusterDefinitions } from './kube.ts';
import { parseSource, type SourceText } from './parse-source.ts';
import { textsOf } from './texts-of.ts';

export interface ReadDefinitions {
  readonly definitions: readonly JsonObject[];
  /** A cluster has definitions that the other side does not care about. */
  readonly isCluster: boolean;
  /** Where a definition is, for annotations of pull requests. */
  readonly files: ReadonlyMap<string, SourceText>;
  readonly warnings: readonly string[];
}

export async function readDefinitions(source: string, cluster: ClusterFlags): Promise<ReadDefinitions> {
  const place = parseSource(source);
  if (place.kind === 'kube') {
    const definitions = await clusterDefinitions(cluster, place.name);
    return { definitions, isCluster: place.name === undefined, files: new Map(), warnings: [] };
  }
  return fromTexts(source, await textsOf(place));
}

async function fromTexts(source: string, texts: readonly SourceText[]): Promise<ReadDefinitions> {
  const { parseYamlDocuments } = await import('@instar/machinery');
  const files = new Map<string, SourceText>();
  const warnings: string[] = [];
  const patches: string[] = [];
  const definitions = texts.flatMap(({ file, text }) => {
    try {
      const all = parseYamlDocuments(text).flatMap(({ value }) => definitionsIn(value));
      const found = all.filter((one) => !isPatch(one));
      if (found.length < all.length) patches.push(file);
      for (const one of found) {
        const other = files.get(definitionName(one));
        if (other !== undefined)
          warnings.push(`${definitionName(one)} is in ${other.file} and in ${file}: the last one counts`);
        files.set(definitionName(one), { file, text });
      }
      return found;
    } catch (error) {
      const problem = TEMPLATE.test(text)
        ? 'it is a Helm template: render the chart with helm:CHART'
        : (error as Error).message;
      if (texts.length === 1) throw new CommandFailure(`${file}: ${problem}`, 2);
      warnings.push(`${file} was skipped: ${problem}`);
      return [];
    }
  });
  if (patches.length > 0) {
    const others = patches.length > 1 ? ` and ${patches.length - 1} more` : '';
    warnings.push(
      `${patches[0]}${others} was skipped: it is a patch for kustomize, which kustomize:DIR applies`,
    );
  }
  if (definitions.length === 0) warnings.push(`${source} holds no CustomResourceDefinition`);
  return { definitions, isCluster: false, files, warnings };
}

const TEMPLATE = /\{\{-?\s*[\w.$"(/]/;

/** Overlays patch the conversion or the annotations of a definition that is elsewhere. */
function isPatch({ spec }: JsonObject): boolean {
  const { group, names, versions } = (isJsonObject(spec) ? spec : {}) as JsonObject;
  return group === undefined && names === undefined && versions === undefined;
}

/** A List holds them in its items. */
function definitionsIn(value: JsonValue): JsonObject[] {
  const single: JsonValue = value;
  if (isDefinition(single)) return [single];
  const items = isJsonObject(value) ? value['items'] : undefined;
  return Array.isArray(items) ? items.filter(isDefinition) : [];
}

export function definitionName(definition: JsonObject): string {
  return String((definition['metadata'] as JsonObject | undefined)?.['name'] ?? '');
}
