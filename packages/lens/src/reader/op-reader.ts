// What the parsers of operations read their fields with: every error is recorded with its path in the
// document, none is thrown.
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import type { OpList } from '../op/op-list.ts';
import { isWildcard, overlaps, type Path, parsePath, printPath } from '../path/path.ts';
import { witnessOf } from '../stash/witness.ts';
import type { FindListKeys } from './list-keys.ts';

/** What a list of operations gets from its context. */
export type OpContext = Pick<OpScope, 'errors' | 'isTop' | 'depth' | 'listKeys'>;

/** What the operations of one list share. */
export interface OpScope {
  readonly errors: FieldError[];
  /** Whether paths start at the object itself, where some fields are not for lenses. */
  readonly isTop: boolean;
  readonly depth: number;
  readonly listKeys: FindListKeys;
  /** Keys of the stash that are taken. */
  readonly keys: Map<string, number>;
  readonly parseOps: (value: JsonValue | undefined, at: FieldPath, context: OpContext) => OpList;
}

/** A lens converts what a version says, not which object it is. */
const NOT_FOR_LENSES = new Set(['apiVersion', 'kind', 'metadata']);

export class OpReader {
  readonly kind: string;
  readonly scope: OpScope;
  readonly at: FieldPath;
  readonly #spec: JsonObject;

  constructor(kind: string, spec: JsonObject, at: FieldPath, scope: OpScope) {
    this.kind = kind;
    this.#spec = spec;
    this.at = at;
    this.scope = scope;
  }

  fail(field: string, detail: string): undefined {
    this.scope.errors.push(fieldErrors.invalid(this.at.child(field), this.value(field), detail));
  }

  value(field: string): JsonValue | undefined {
    return Object.hasOwn(this.#spec, field) ? this.#spec[field] : undefined;
  }

  has(field: string): boolean {
    return this.value(field) !== undefined;
  }

  /** Records fields that the operation does not have. */
  only(...fields: string[]): void {
    for (const field of Object.keys(this.#spec)) {
      if (!fields.includes(field)) this.scope.errors.push(fieldErrors.notSupported(this.at, field, fields));
    }
  }

  text(field: string): string | undefined {
    const value = this.value(field);
    if (typeof value === 'string' && value !== '') return value;
    return this.#missing(field, value, 'must be a string that is not empty');
  }

  texts(field: string): string[] | undefined {
    const value = this.value(field);
    if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
      return value as string[];
    return this.#missing(field, value, 'must be a list of strings');
  }

  choice<T extends string>(field: string, choices: readonly T[], otherwise: T): T {
    const value = this.value(field);
    if (value === undefined) return otherwise;
    if (choices.includes(value as T)) return value as T;
    this.scope.errors.push(fieldErrors.notSupported(this.at.child(field), value, choices));
    return otherwise;
  }

  path(field: string): Path | undefined {
    const text = this.text(field);
    return text === undefined ? undefined : this.#parsed(text, this.at.child(field));
  }

  paths(field: string): Path[] | undefined {
    const texts = this.texts(field);
    const parsed = texts?.map((text, index) => this.#parsed(text, this.at.child(field).index(index)));
    return parsed?.every((path) => path !== undefined) ? (parsed as Path[]) : undefined;
  }

  /** One path or several. */
  onePathOrMore(field: string): Path[] | undefined {
    if (Array.isArray(this.value(field))) return this.paths(field);
    const path = this.path(field);
    return path === undefined ? undefined : [path];
  }

  pathOf(text: string, at: FieldPath): Path | undefined {
    return this.#parsed(text, at);
  }

  /** Operations that are nested below a field of this one. */
  ops(field: string): OpList {
    const { errors, isTop, listKeys, depth, parseOps } = this.scope;
    return parseOps(this.value(field), this.at.child(field), { errors, isTop, listKeys, depth: depth + 1 });
  }

  /** The same, on what is below `path`. */
  opsBelow(path: Path, field: string): OpList {
    const { errors, depth, parseOps } = this.scope;
    const listKeys: FindListKeys = (inner) => this.scope.listKeys([...path, ...inner]);
    return parseOps(this.value(field), this.at.child(field), {
      errors,
      isTop: false,
      listKeys,
      depth: depth + 1,
    });
  }

  /** Records paths that contain one another: an operation could not say what it read and what it wrote. */
  areApart(paths: readonly Path[], field: string): boolean {
    for (const [i, a] of paths.entries()) {
      const other = paths.slice(i + 1).find((b) => overlaps(a, b));
      if (other === undefined) continue;
      this.fail(
        field,
        `${printPath(a)} and ${printPath(other)} contain one another: use box or unbox for a value that goes into or out of an object of its own`,
      );
      return false;
    }
    return true;
  }

  /** The name of an operation in the stash: its kind and paths, shortened. */
  key(paths: readonly Path[]): string {
    const name = witnessOf([this.kind, ...paths.map(printPath)].join(' ')).slice(-6);
    const count = (this.scope.keys.get(name) ?? 0) + 1;
    this.scope.keys.set(name, count);
    return count === 1 ? name : `${name}~${count}`;
  }

  #parsed(text: string, at: FieldPath): Path | undefined {
    const path = parsePath(text);
    if (typeof path === 'string') {
      this.scope.errors.push(fieldErrors.invalid(at, text, path));
      return undefined;
    }
    const problem = this.#placeProblem(path);
    if (problem === undefined) return path;
    this.scope.errors.push(fieldErrors.invalid(at, text, problem));
    return undefined;
  }

  #placeProblem(path: Path): string | undefined {
    if (!this.scope.isTop) return undefined;
    const first = path[0];
    if (first === undefined || isWildcard(first))
      return 'must start with a field of the object, such as spec';
    return NOT_FOR_LENSES.has(first.key) ? `lenses do not change ${first.key}` : undefined;
  }

  #missing(field: string, value: JsonValue | undefined, detail: string): undefined {
    const at = this.at.child(field);
    this.scope.errors.push(
      value === undefined ? fieldErrors.required(at, detail) : fieldErrors.invalid(at, value, detail),
    );
  }
}

/** The object at a field, read as separate fields. */
export function readerBelow(reader: OpReader, field: string): OpReader | undefined {
  const value = reader.value(field);
  if (isJsonObject(value)) return new OpReader(reader.kind, value, reader.at.child(field), reader.scope);
  return reader.fail(field, 'must be an object');
}
