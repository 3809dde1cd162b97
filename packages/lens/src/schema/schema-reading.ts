// What operations see when they read a schema instead of an object: they do to it what they do to objects,
// and report what they cannot carry.
import type { JSONSchemaProps } from '@instar/schema';
import { ITEMS, keysOf, type Path, printPath, sharedLength, type VALUES } from '../path/path.ts';
import { HERE } from '../site/site.ts';
import type { FindingKind, Severity } from './finding.ts';
import { eitherOf, SchemaTree } from './schema-tree.ts';

interface Report {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly path: string;
  readonly op: string;
  readonly message: string;
}

/** Collects for the whole of one direction, at any depth. */
export interface Collected {
  readonly reports: Report[];
  /** Paths that an operation filled, and which one. */
  readonly filled: Map<string, string>;
}

const boxed = (path: Path): string[] => [HERE, ...keysOf(path)];

export class SchemaReading {
  readonly #tree: SchemaTree;
  readonly #prefix: string;
  readonly #collected: Collected;

  constructor(schema: JSONSchemaProps, collected: Collected, prefix = '') {
    this.#tree = new SchemaTree(schema);
    this.#collected = collected;
    this.#prefix = prefix;
  }

  /** The schema as operations have left it. */
  get result(): JSONSchemaProps {
    return this.#tree.get([HERE]) ?? {};
  }

  report(kind: FindingKind, severity: Severity, path: Path, op: string, message: string): void {
    this.#collected.reports.push({ kind, severity, path: this.#full(path), op, message });
  }

  /** Undefined, and reported, if the schema has no such field. */
  at(path: Path, op: string): JSONSchemaProps | undefined {
    const schema = this.#tree.get(boxed(path));
    if (schema === undefined) this.report('unknown-field', 'error', path, op, 'is not in the schema');
    return schema;
  }

  has(path: Path): boolean {
    return this.#tree.get(boxed(path)) !== undefined;
  }

  /** Whether the schema names the field, rather than allowing anything. */
  declares(path: Path): boolean {
    const parent = this.#tree.get(boxed(path).slice(0, -1));
    return parent?.properties !== undefined && Object.hasOwn(parent.properties, boxed(path).at(-1)!);
  }

  /** The fields that identify the items of a list, if its schema names them. */
  listKeys(path: Path): readonly string[] | undefined {
    return this.#tree.get(boxed(path))?.['x-kubernetes-list-map-keys'];
  }

  /** An operation knows the field, though it gives it no value. */
  mention(path: Path, op: string): void {
    this.#collected.filled.set(this.#full(path), op);
  }

  /**
   * What is known of `to` when its value is made from those of `from`: where their paths diverge, and whether
   * they exist.
   */
  sureFrom(from: readonly Path[], to: Path): number | undefined {
    const known = 1 + Math.min(...from.map((path) => sharedLength(path, to)), to.length);
    return from.every((path) => this.#tree.isSure(boxed(path), Math.min(known, path.length + 1)))
      ? known
      : undefined;
  }

  /** Whether the field exists whenever its parent does. */
  isSureInPlace(path: Path): boolean {
    return this.#tree.isSure(boxed(path), path.length);
  }

  put(path: Path, schema: JSONSchemaProps, sureFrom: number | undefined, op: string): void {
    this.#tree.put(boxed(path), schema, sureFrom);
    this.#collected.filled.set(this.#full(path), op);
  }

  /**
   * Moved away: an object that becomes empty is removed too, unless it also contains one of the new paths.
   */
  clear(path: Path, to: readonly Path[]): void {
    this.#tree.clear(boxed(path), 1 + Math.max(0, ...to.map((other) => sharedLength(path, other))));
  }

  /** Removed from an object, which stays. */
  drop(path: Path): void {
    this.#tree.drop(boxed(path));
  }

  /** In place: the same field with another schema, as certain as before. */
  replace(path: Path, op: string, change: (schema: JSONSchemaProps) => JSONSchemaProps): void {
    const schema = this.at(path, op);
    if (schema === undefined) return;
    const isSure = this.isSureInPlace(path);
    this.put(path, change(schema), isSure ? path.length : undefined, op);
  }

  /** Operations on every item of a list, or every value of a map. */
  within(
    path: Path,
    kind: typeof ITEMS | typeof VALUES,
    op: string,
    read: (inner: SchemaReading) => void,
  ): void {
    this.replace(path, op, (schema) => {
      const of = kind === ITEMS ? schema.items : schema.additionalProperties;
      if (typeof of !== 'object' || Array.isArray(of)) {
        if (schema['x-kubernetes-preserve-unknown-fields'] !== true)
          this.report('type', 'error', path, op, kind === ITEMS ? 'is no list' : 'is no map');
        return schema;
      }
      const inner = new SchemaReading(of, this.#collected, this.#full([...path, kind]));
      read(inner);
      return kind === ITEMS
        ? { ...schema, items: inner.result }
        : { ...schema, additionalProperties: inner.result };
    });
  }

  /** Each object takes one of two branches: possible is what either leaves, certain is what both do. */
  branches(one: (reading: SchemaReading) => void, other: (reading: SchemaReading) => void): void {
    const readings = [one, other].map((read) => {
      const reading = new SchemaReading(this.result, this.#collected, this.#prefix);
      read(reading);
      return reading.result;
    });
    this.#tree.put([HERE], eitherOf(readings[0]!, readings[1]!), 0);
  }

  #full(path: Path): string {
    if (path.length === 0) return this.#prefix === '' ? '.' : this.#prefix;
    const text = printPath(path);
    return this.#prefix === '' ? text : `${this.#prefix}.${text}`;
  }
}

/** The types that a schema allows; undefined if it does not say. */
export function typesOf(schema: JSONSchemaProps): readonly string[] | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? undefined : [schema.type];
}

/** Reports if the schema has none of the types. */
export function expectType(
  reading: SchemaReading,
  path: Path,
  op: string,
  schema: JSONSchemaProps,
  types: readonly string[],
): void {
  const actual = typesOf(schema);
  if (
    actual === undefined ||
    actual.some((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
  )
    return;
  reading.report('type', 'error', path, op, `is of type ${actual.join(' or ')}, not ${types.join(' or ')}`);
}
