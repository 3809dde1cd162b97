// PATCH with an apply configuration: the merge of @instar/ownership, bound to a request.
import { takeStash } from '@instar/lens';
import {
  apiErrors,
  asJson,
  asKubeObject,
  decodeObjectMeta,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  YamlError,
} from '@instar/machinery';
import { applyManagedAsync, applyManagedPausing, conflictError } from '@instar/ownership';
import { TimeSlice } from '../../objects/time-slice.ts';
import { convertOwned, ownershipContext } from '../../objects/write/ownership.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import type { WriteOptions } from './options.ts';
import { parseYamlBody } from './parse-body.ts';

interface Configuration {
  readonly applied: KubeObject;
  readonly duplicates: readonly string[];
}

/** Parsed once; applied to every newer state after a lost race. */
export async function nextByApply(
  write: WriteRequest,
  body: Uint8Array,
  options: WriteOptions,
): Promise<(live: KubeObject | undefined) => Promise<KubeObject>> {
  const { applied, duplicates } = await parseConfiguration(body);
  return async (live) => {
    const object = await applyObject(write, live, applied, options.force);
    reportDuplicates(duplicates, write, options);
    return object;
  };
}

export async function parseConfiguration(body: Uint8Array): Promise<Configuration> {
  try {
    const { value, duplicates } = await parseYamlBody(body);
    if (value !== null && !isJsonObject(value)) {
      const type = Array.isArray(value) ? 'array' : typeof value;
      throw apiErrors.badRequest(
        `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
      );
    }
    return { applied: asKubeObject({ metadata: {}, ...value }), duplicates };
  } catch (error) {
    if (error instanceof YamlError)
      throw apiErrors.badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

/** Throws a conflict unless `force`. */
export async function applyObject(
  write: WriteRequest,
  live: KubeObject | undefined,
  applied: KubeObject,
  force: boolean,
): Promise<KubeObject> {
  const { definition } = write.resource;
  const { convertNow, usesStash = false } = definition.converter;
  const input = { ...ownershipContext(write), kind: definition.names.kind, live, applied, force };
  const result =
    convertNow === undefined || usesStash
      ? await applyManagedAsync(
          input,
          async (objects, version) => (await convertOwned(write, objects, version)).map(asJson),
          write.slice,
        )
      : await applyManagedPausing(
          input,
          (object, apiVersion) =>
            convertNow(object as unknown as KubeObject, apiVersion) as unknown as JsonObject,
          write.slice ?? new TimeSlice(),
        );
  if ('conflicts' in result) throw conflictError(result.conflicts);
  await write.slice?.yieldIfOver();
  return finished(write, usesStash ? takeStash(result.object).object : result.object);
}

/**
 * Unknown fields are pruned and defaults filled in after the merge, as in what any other verb writes; but
 * nulls are validated, which means that they are mostly refused.
 */
async function finished({ version, slice }: WriteRequest, object: KubeObject): Promise<KubeObject> {
  if (version.decode === undefined) {
    const decoded = decodeObjectMeta(asJson(object)['metadata'] ?? {});
    if ('meta' in decoded) object.metadata = decoded.meta;
    version.schema.prune(asJson(object), { keepsNulls: true });
    await slice?.yieldIfOver();
    version.schema.applyDefaults(asJson(object));
    return object;
  }
  const decoded = version.decode(asJson(object));
  if ('error' in decoded) throw apiErrors.badRequest(decoded.error);
  return asKubeObject({ ...decoded.object, apiVersion: object.apiVersion, kind: object.kind });
}

function reportDuplicates(duplicates: readonly string[], write: WriteRequest, options: WriteOptions): void {
  if (duplicates.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict')
    throw apiErrors.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`,
    );
  write.warnings.push(...duplicates);
}
