// Decodes a Scale: strictly for kinds with Go types, and for custom resources with upstream's one message.
import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import {
  apiErrors,
  decodeObjectMeta,
  type FieldError,
  fieldErrors,
  isJsonObject,
  type JsonValue,
  validateObjectMeta,
} from '@instar/machinery';
import { typedDecoder } from '../../kinds/typed/decode.ts';
import { Scale as ScaleType } from '../../kinds/typed/meta-types.ts';
import { SCALE_API_VERSION, type Scale } from '../../objects/scale.ts';
import type { Decoding } from './decode.ts';
import type { WriteOptions } from './options.ts';
import type { RequestScope } from './request-scope.ts';

/** Upstream's message for every body that is not a Scale. */
export const notAScale = () =>
  apiErrors.badRequest(
    'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781"',
  );

export function decodeScale(value: JsonValue): Scale {
  if (!isJsonObject(value) || value['kind'] !== 'Scale' || value['apiVersion'] !== SCALE_API_VERSION)
    throw notAScale();
  const metadata = decodeObjectMeta(value['metadata'] ?? {});
  const spec = value['spec'] ?? {};
  if ('fault' in metadata || !isJsonObject(spec)) throw notAScale();
  const replicas = spec['replicas'] ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || Math.abs(replicas) > 0x7fffffff)
    throw notAScale();
  return {
    apiVersion: SCALE_API_VERSION,
    kind: 'Scale',
    metadata: metadata.meta,
    spec: { replicas },
    status: { replicas: 0 },
  };
}

const decode = typedDecoder(ScaleType);

/** The result of a patch, which may have left out its type, and its unknown fields. */
export function decodePatchedScale(value: JsonValue): { readonly scale: Scale; readonly unknown: string[] } {
  const isObject = isJsonObject(value);
  const kind = (isObject && value['kind']) || 'Scale';
  const apiVersion = (isObject && value['apiVersion']) || SCALE_API_VERSION;
  const scale = decodeScale(isObject ? { ...value, apiVersion, kind } : value);
  const decoded = decode(value);
  const paths = 'unknownFields' in decoded ? decoded.unknownFields : [];
  return { scale, unknown: paths.map((path) => `unknown field ${quoteGo(path)}`) };
}

/** How the Scale of a kind with a Go type is decoded; undefined for custom resources. */
export function scaleDecoding(
  { resource, version, request }: RequestScope,
  { fieldValidation }: WriteOptions,
): Decoding | undefined {
  if (!resource.definition.typed) return undefined;
  return {
    resource,
    kind: 'Scale',
    version: {
      apiVersion: SCALE_API_VERSION,
      group: 'autoscaling',
      version: 'v1',
      decode,
      schema: version.schema,
    },
    fieldValidation,
    warnings: request.warnings,
  };
}

/** Kinds with Go types validate the Scale before what it scales. */
export function checkTypedScale(
  { resource, name }: Pick<RequestScope, 'resource' | 'name'>,
  { metadata, spec }: Scale,
): void {
  if (!resource.definition.typed) return;
  const { replicas = 0 } = spec ?? {};
  const errors: FieldError[] = validateObjectMeta(metadata, true, nameIsDnsSubdomain);
  if (replicas < 0)
    errors.push(fieldErrors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) throw apiErrors.invalid({ group: 'autoscaling', kind: 'Scale' }, name, errors);
}
