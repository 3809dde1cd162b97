// The strategy of custom resources: status and generation, validation by the schema, scale values. The order
// of the checks is kube-apiserver's, since clients see it in the causes of an error.

import { nameIsDnsSubdomain } from '@instar/go';
import {
  asJson,
  deepCopy,
  deepEqual,
  encodeJson,
  type FieldError,
  FieldPath,
  fieldErrors,
  finalizerWarnings,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  setMember,
  validateObjectMeta,
  validateObjectMetaUpdate,
  WholeFloat,
  withWholeFloats,
} from '@instar/machinery';
import type {
  ScaleSubresource,
  Strategy,
  VersionDefinition,
  WriteContext,
} from '../../objects/definition.ts';
import { stepsOf } from '../../objects/scale.ts';

interface CustomKind {
  readonly kind: string;
  readonly namespaced: boolean;
  versionOf(apiVersion: string): VersionDefinition | undefined;
}

export function customStrategy(custom: CustomKind): Strategy {
  return {
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: false,
    validateName: nameIsDnsSubdomain,
    prepareForCreate(object, { version }) {
      if (version.statusSubresource) {
        delete object['status'];
        // A read would show the defaults of the status that is dropped here.
        version.schema.applyDefaults(asJson(object));
      }
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old, context) =>
      context.subresource === 'status' ? keepAllButStatus(object, old) : keepStatus(object, old, context),
    validateCreate: (object, context) => validateCreate(custom, object, context),
    validateUpdate: (object, old, context) => validateUpdate(custom, object, old, context),
    warnings(object, old, { subresource }) {
      if (subresource === 'status') return [];
      const before = new Set(old?.metadata.finalizers ?? []);
      const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer)).sort();
      return finalizerWarnings([...new Set(added)], FieldPath.of('metadata', 'finalizers'));
    },
  };
}

function keepStatus(object: KubeObject, old: KubeObject, { version }: WriteContext): void {
  if (version.statusSubresource) {
    if (old['status'] === undefined) delete object['status'];
    else object['status'] = old['status'];
  }
  if (!deepEqual(withoutMetadata(object), withoutMetadata(old)))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function withoutMetadata(object: KubeObject): JsonObject {
  const { metadata: _, ...rest } = asJson(object);
  return rest;
}

/** A write to /status changes the status and managedFields only. */
function keepAllButStatus(object: KubeObject, old: KubeObject): void {
  const { status } = object;
  const { managedFields, resourceVersion } = object.metadata;
  for (const key of Object.keys(object)) delete object[key];
  for (const [key, value] of Object.entries(deepCopy(asJson(old)))) setMember(asJson(object), key, value);
  object.metadata = {
    ...object.metadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  if (managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = managedFields;
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

function typeErrors(custom: CustomKind, object: KubeObject, { version }: WriteContext): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== custom.kind)
    errors.push(fieldErrors.invalid('kind', object.kind, `must be ${custom.kind}`));
  if (object.apiVersion !== version.apiVersion)
    errors.push(fieldErrors.invalid('apiVersion', object.apiVersion, `must be ${version.apiVersion}`));
  return errors;
}

/** Rules are limited by their cost; this is for machines so slow that the cost does not predict the time. */
const MAX_RULES_MS = 5_000;
const rulesDeadline = (): number => Date.now() + MAX_RULES_MS;

function validateCreate(custom: CustomKind, object: KubeObject, context: WriteContext): FieldError[] {
  const wrongType = typeErrors(custom, object, context);
  if (wrongType.length > 0) return wrongType;
  const { version } = context;
  const shown = withWholeFloats(asJson(object), context.wholeFloats);
  const metadata = validateObjectMeta(object.metadata, custom.namespaced, nameIsDnsSubdomain);
  const scale = [
    ...specScaleErrors(shown, version.scaleSubresource),
    ...statusScaleErrors(shown, version.scaleSubresource),
  ];
  return inOrder(metadata, scale, (earlierErrors) =>
    version.schema.validate(asJson(object), {
      earlierErrors,
      deadline: rulesDeadline(),
      wholeFloats: context.wholeFloats,
    }),
  );
}

function validateUpdate(
  custom: CustomKind,
  object: KubeObject,
  old: KubeObject,
  context: WriteContext,
): FieldError[] {
  const wrongType = typeErrors(custom, object, context);
  if (wrongType.length > 0) return wrongType;
  const { version, subresource } = context;
  const metadata = validateObjectMetaUpdate(object.metadata, old.metadata);
  const isStatus = subresource === 'status';
  const shown = withWholeFloats(asJson(object), context.wholeFloats);
  const scale = [
    ...(isStatus ? [] : specScaleErrors(shown, version.scaleSubresource)),
    ...statusScaleErrors(shown, version.scaleSubresource),
  ];
  return inOrder(metadata, scale, (earlierErrors) =>
    version.schema.validate(asJson(object), {
      wholeFloats: context.wholeFloats,
      old: asJson(old),
      statusOnly: isStatus,
      earlierErrors,
      deadline: rulesDeadline(),
      ...(context.warn && { warn: context.warn }),
    }),
  );
}

/** Upstream checks metadata, then values, then scale, then the rest of the schema. */
function inOrder(
  metadata: FieldError[],
  scale: FieldError[],
  validateSchema: (earlier: FieldError[]) => FieldError[],
): FieldError[] {
  return [...metadata, ...validateSchema([...metadata, ...scale]), ...scale];
}

const MAX_INT32 = 2_147_483_647;

/** The value at a path of names, or upstream's message if a value along the path is not an object. */
function nested(object: JsonObject, path: string): { value: JsonValue | undefined } | { fault: string } {
  let value: JsonValue | undefined = object;
  const names = stepsOf(path);
  for (const [i, name] of names.entries()) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isJsonObject(value))
      return {
        fault: `.${names.slice(0, i + 1).join('.')} accessor error: ${goText(value)} is of the type ${goType(value)}, expected map[string]interface{}`,
      };
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return { value };
}

const goText = (value: JsonValue): string =>
  value === null ? '<nil>' : typeof value === 'string' ? value : encodeJson(value);
const goType = (value: JsonValue): string =>
  value instanceof WholeFloat
    ? 'float64'
    : value === null
      ? '<nil>'
      : Array.isArray(value)
        ? '[]interface {}'
        : typeof value === 'number' || typeof value === 'bigint'
          ? typeof value === 'bigint' || Number.isInteger(value)
            ? 'int64'
            : 'float64'
          : typeof value === 'boolean'
            ? 'bool'
            : typeof value;

function replicasErrors(object: JsonObject, path: string): FieldError[] {
  const found = nested(object, path);
  if ('fault' in found) return [fieldErrors.invalid(path, 0, found.fault)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) {
    return [
      fieldErrors.invalid(
        path,
        0,
        `${path.startsWith('.') ? path : `.${path}`} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`,
      ),
    ];
  }
  if (value < 0) return [fieldErrors.invalid(path, value, 'should be a non-negative integer')];
  return value > MAX_INT32
    ? [fieldErrors.invalid(path, value, `should be less than or equal to ${MAX_INT32}`)]
    : [];
}

function specScaleErrors(object: JsonObject, scale: ScaleSubresource | undefined): FieldError[] {
  return scale === undefined ? [] : replicasErrors(object, scale.specReplicasPath);
}

function statusScaleErrors(object: JsonObject, scale: ScaleSubresource | undefined): FieldError[] {
  if (scale === undefined) return [];
  const errors = replicasErrors(object, scale.statusReplicasPath);
  if (scale.labelSelectorPath === undefined) return errors;
  const found = nested(object, scale.labelSelectorPath);
  const path = scale.labelSelectorPath;
  if ('fault' in found) return [...errors, fieldErrors.invalid(path, '', found.fault)];
  const { value } = found;
  if (value === undefined || value === null || typeof value === 'string') return errors;
  return [
    ...errors,
    fieldErrors.invalid(
      path,
      '',
      `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected string`,
    ),
  ];
}
