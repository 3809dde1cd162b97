// Embedded resources: apiVersion and kind must be strings, and metadata must decode. Metadata that decodes is
// normalized, without unknown fields; what does not decode is a fault of a request, and is dropped from
// stored objects.
import {
  decodeObjectMeta,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldErrors,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import { Trail } from '../trail.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { walkEmbedded } from './walk.ts';

/** Why an embedded resource does not decode. Upstream then answers 400, before it validates anything. */
export function embeddedFault(value: JsonValue, root: SchemaNode, path?: FieldPath): FieldError | undefined {
  let fault: FieldError | undefined;
  const trail = new Trail(path);
  walkEmbedded(value, root, trail, (resource) => {
    fault ??= resourceFault(resource, trail);
  });
  return fault;
}

/** The same for the resource at the trail, without those embedded in it. */
export function resourceFault(resource: JsonObject, trail: Trail): FieldError | undefined {
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name];
    if (Object.hasOwn(resource, name) && typeof value !== 'string') {
      return fieldErrors.invalid(trail.path().child(name), value!, 'must be a string');
    }
  }
  if (!Object.hasOwn(resource, 'metadata')) return undefined;
  const decoded = decodeObjectMeta(resource['metadata']!);
  if ('meta' in decoded) return undefined;
  return fieldErrors.invalid(trail.path().child('metadata'), resource['metadata']!, decoded.fault);
}

/**
 * Normalizes embedded metadata in place. Returns the paths of the unknown fields, sorted. With `onDropped`,
 * what does not decode is dropped; it is called if anything changed.
 */
export function coerceEmbedded(value: JsonValue, root: SchemaNode, onDropped?: () => void): string[] {
  const unknown: string[] = [];
  const trail = new Trail();
  walkEmbedded(value, root, trail, (resource) => {
    if (onDropped !== undefined) dropMalformedType(resource, onDropped);
    coerceMetadata(resource, trail, unknown, onDropped);
  });
  return unknown.sort();
}

function dropMalformedType(resource: JsonObject, onDropped: () => void): void {
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(resource, name) || typeof resource[name] === 'string') continue;
    delete resource[name];
    onDropped();
  }
}

function coerceMetadata(
  resource: JsonObject,
  trail: Trail,
  unknown: string[],
  onDropped: (() => void) | undefined,
): void {
  if (!Object.hasOwn(resource, 'metadata')) return;
  const value = resource['metadata']!;
  const decoded = decodeObjectMeta(value, { dropMalformed: onDropped !== undefined });
  if ('fault' in decoded) return;
  const meta = decoded.meta as unknown as JsonObject;
  if (onDropped !== undefined && !deepEqual(meta, value)) onDropped();
  resource['metadata'] = meta;
  for (const path of decoded.unknownFields) unknown.push(`${trail.path()}.metadata.${path}`);
}
