// The scale subresource of custom resources: autoscaling/v1 Scale read from and written to the paths that the definition names.
import {
  apiErrors,
  asJson,
  asKubeObject,
  decodeObjectMeta,
  isJsonObject,
  type JsonObject,
  JsonParseError,
  type JsonValue,
  type KubeObject,
  parseJson,
  parseYaml,
  YamlError,
} from '@instar/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import { type Negotiated, negotiate } from '../http/negotiate.ts';
import { respondObject } from '../http/respond.ts';
import { encodeForClient, parseOwnBytes } from '../resource/cached-object.ts';
import type { ScaleSubresource } from '../resource/definition.ts';
import { recordOwnership } from '../resource/write/ownership.ts';
import { updateObject } from '../resource/write/update.ts';
import { SCALE_COLUMNS } from '../table/scale-columns.ts';
import { parseIncludeObject, tableOf } from '../table/table.ts';
import { ONE_OBJECT } from './answer.ts';
import { bodyType } from './decode.ts';
import { readWriteOptions } from './options.ts';
import { jsonPatch, mergePatch, patchType } from './patch.ts';
import type { Scope } from './scope.ts';
import { checkName } from './update.ts';
import { writeRequest } from './write.ts';

interface Scale extends KubeObject {
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

const API_VERSION = 'autoscaling/v1';
const steps = (path: string): string[] => path.replace(/^\./, '').split('.');

function nested(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of steps(path)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function scaleFrom(object: JsonObject, paths: ScaleSubresource): { scale: Scale; hasReplicas: boolean } {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = asKubeObject(object).metadata;
  const replicas = nested(object, paths.specReplicasPath);
  const statusReplicas = nested(object, paths.statusReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? undefined : nested(object, paths.labelSelectorPath);
  const scale: Scale = {
    apiVersion: API_VERSION,
    kind: 'Scale',
    metadata: {
      name: name!,
      ...(namespace !== undefined && { namespace }),
      uid: uid!,
      resourceVersion: resourceVersion!,
      creationTimestamp: creationTimestamp!,
    },
    // Go's omitempty: a spec of no replicas is shown empty, a status always says its number.
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: typeof statusReplicas === 'number' ? statusReplicas : 0,
      ...(typeof selector === 'string' && selector !== '' && { selector }),
    },
  };
  return { scale, hasReplicas: replicas !== undefined };
}

export function scaleOf(scope: Scope, form: Uint8Array, negotiated: Negotiated): ApiResponse {
  const paths = scope.version.scaleSubresource!;
  const { scale, hasReplicas } = scaleFrom(parseOwnBytes(form), paths);
  if (!hasReplicas) throw apiErrors.internal(`the spec replicas field "${paths.specReplicasPath}" does not exist`);
  return respondScale(scope, scale, negotiated);
}

function respondScale({ request }: Scope, scale: Scale, negotiated: Negotiated): ApiResponse {
  if (negotiated.shape !== 'Table') return respondObject(200, scale, negotiated);
  const includeObject = parseIncludeObject(request.query.get('includeObject') ?? '');
  const metadata = { resourceVersion: scale.metadata.resourceVersion! };
  return respondObject(
    200,
    tableOf([asJson(scale)], SCALE_COLUMNS, metadata, { version: negotiated.shapeVersion, includeObject, now: Date.now() }),
    negotiated,
  );
}

/** The words of upstream for every body that is no Scale. */
const noScale = () =>
  apiErrors.badRequest(
    'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781"',
  );

function decodeScale(value: JsonValue): Scale {
  if (!isJsonObject(value) || value['kind'] !== 'Scale' || value['apiVersion'] !== API_VERSION) throw noScale();
  const metadata = decodeObjectMeta(value['metadata'] ?? {});
  const spec = value['spec'] ?? {};
  if ('fault' in metadata || !isJsonObject(spec)) throw noScale();
  const replicas = spec['replicas'] ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || Math.abs(replicas) > 0x7fffffff) throw noScale();
  return { apiVersion: API_VERSION, kind: 'Scale', metadata: metadata.meta, spec: { replicas }, status: { replicas: 0 } };
}

type NextScale = (live: Scale) => Scale;

export async function updateScale(scope: Scope): Promise<ApiResponse> {
  const { request } = scope;
  const negotiated = negotiate(request, ONE_OBJECT);
  const type = bodyType(request);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const scale = decodeScale(parseScale(body, type));
  checkName(scope, scale);
  return writeScale(scope, negotiated, options, () => structuredClone(scale), scale.metadata.uid);
}

function parseScale(body: Uint8Array, type: string): JsonValue {
  try {
    return (type === 'application/yaml' ? parseYaml(body) : parseJson(body)).value;
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof YamlError) throw apiErrors.badRequest(error.message);
    throw error;
  }
}

export async function patchScale(scope: Scope): Promise<ApiResponse> {
  const { request } = scope;
  const type = patchType(scope);
  const negotiated = negotiate(request, ONE_OBJECT);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'PatchOptions', type === 'application/apply-patch+yaml');
  const change = type === 'application/json-patch+json' ? jsonPatch(body, options.fieldValidation !== 'Ignore') : mergePatch(body);
  return writeScale(scope, negotiated, options, (live) => {
    const next = decodeScale(change(asJson(live)).value);
    checkName(scope, next);
    return next;
  });
}

async function writeScale(
  scope: Scope,
  negotiated: Negotiated,
  options: ReturnType<typeof readWriteOptions>,
  next: NextScale,
  uid?: string,
): Promise<ApiResponse> {
  const { resource, version } = scope;
  const paths = version.scaleSubresource!;
  const write = writeRequest(scope, options);
  const updated = await updateObject(write, {
    next: async (live) => {
      const scale = next(scaleFrom(asJson(live!), paths).scale);
      const object = structuredClone(live!);
      setNested(asJson(object), steps(paths.specReplicasPath), scale.spec.replicas ?? 0);
      if (scale.metadata.resourceVersion) object.metadata.resourceVersion = scale.metadata.resourceVersion;
      return recordOwnership(write, live, object);
    },
    uid,
    mayCreate: false,
    options,
  });
  const form = updated.cached === undefined ? encodeForClient(updated.object!) : await resource.form(updated.cached, version);
  return respondScale(scope, scaleFrom(parseOwnBytes(form), paths).scale, negotiated);
}

function setNested(object: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = object;
  for (const step of path.slice(0, -1)) {
    const next = at[step];
    if (isJsonObject(next)) at = next;
    else at = at[step] = {};
  }
  at[path.at(-1)!] = value;
}
