// A mutable copy of a schema: fields are removed, added and looked up, with what is known of their presence.
import { deepCopy, type JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { HERE } from '../site/site.ts';

const copySchema = (schema: JSONSchemaProps): JSONSchemaProps =>
  deepCopy(schema as unknown as JsonObject) as JSONSchemaProps;

/** Nothing is known: everything is allowed. */
const ANYTHING: JSONSchemaProps = { 'x-kubernetes-preserve-unknown-fields': true };

export const isOpen = (schema: JSONSchemaProps): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

export class SchemaTree {
  readonly root: JSONSchemaProps;

  constructor(schema: JSONSchemaProps) {
    this.root = { type: 'object', properties: { [HERE]: copySchema(schema) }, required: [HERE] };
  }

  /**
   * Keys are those of a slot: starting at the box. Anything is allowed where unknown fields are preserved.
   */
  get(keys: readonly string[]): JSONSchemaProps | undefined {
    let here: JSONSchemaProps = this.root;
    for (const key of keys) {
      const next = propertyOf(here, key);
      if (next === undefined) return undefined;
      here = next;
    }
    return here;
  }

  /** Whether there is always a value if there is one at the first `known` keys. */
  isSure(keys: readonly string[], known: number): boolean {
    for (let i = known; i < keys.length; i++) {
      const parent = this.get(keys.slice(0, i));
      const isThere =
        parent?.required?.includes(keys[i]!) === true ||
        propertyOf(parent ?? {}, keys[i]!)?.default !== undefined;
      if (!isThere) return false;
    }
    return true;
  }

  /** `sureFrom`: if there is something at so many of the keys, there is a value now. */
  put(keys: readonly string[], schema: JSONSchemaProps, sureFrom: number | undefined): void {
    let here = this.root;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      here.properties ??= {};
      const isLast = i === keys.length - 1;
      if (isLast) here.properties[key] = schema;
      else if (!Object.hasOwn(here.properties, key)) here.properties[key] = { type: 'object' };
      if (sureFrom !== undefined && i >= sureFrom) require(here, key);
      else if (isLast) unrequire(here, key);
      here = here.properties[key]!;
    }
  }

  drop(keys: readonly string[]): void {
    const parent = this.get(keys.slice(0, -1));
    const key = keys.at(-1)!;
    if (parent?.properties === undefined || !Object.hasOwn(parent.properties, key)) return;
    delete parent.properties[key];
    unrequire(parent, key);
  }

  /**
   * An object that loses its last field is removed too, as in objects; but not what is at the first `stays`
   * keys.
   */
  clear(keys: readonly string[], stays: number): void {
    this.drop(keys);
    const parent = this.get(keys.slice(0, -1));
    if (parent?.properties === undefined || keys.length - 1 <= Math.max(stays, 1)) return;
    if (
      Object.keys(parent.properties).length === 0 &&
      parent.additionalProperties === undefined &&
      !isOpen(parent)
    )
      this.clear(keys.slice(0, -1), stays);
    else if ((parent.required ?? []).length === 0) unrequire(this.get(keys.slice(0, -2))!, keys.at(-2)!);
  }
}

export function propertyOf(schema: JSONSchemaProps, key: string): JSONSchemaProps | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties;
  return isOpen(schema) || schema.additionalProperties === true ? ANYTHING : undefined;
}

function require(schema: JSONSchemaProps, key: string): void {
  if (schema.required?.includes(key) !== true) schema.required = [...(schema.required ?? []), key];
}

function unrequire(schema: JSONSchemaProps, key: string): void {
  if (schema.required !== undefined) schema.required = schema.required.filter((name) => name !== key);
}

/** What objects may contain that are described by one schema or the other. */
export function eitherOf(a: JSONSchemaProps, b: JSONSchemaProps): JSONSchemaProps {
  if (a.type !== b.type) return {};
  if (a.properties === undefined && b.properties === undefined)
    return a.enum === undefined || b.enum === undefined
      ? withoutEnum(a)
      : { ...a, enum: [...a.enum, ...b.enum] };
  const properties: Record<string, JSONSchemaProps> = { ...b.properties };
  for (const [key, schema] of Object.entries(a.properties ?? {})) {
    const other =
      b.properties !== undefined && Object.hasOwn(b.properties, key) ? b.properties[key]! : schema;
    properties[key] = eitherOf(schema, other);
  }
  return {
    ...a,
    properties,
    required: (a.required ?? []).filter((name) => b.required?.includes(name) === true),
  };
}

function withoutEnum({ enum: _, ...schema }: JSONSchemaProps): JSONSchemaProps {
  return schema;
}
