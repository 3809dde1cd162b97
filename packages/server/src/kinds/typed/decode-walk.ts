// The state of one decoding: its current path, and the faults and unknown fields found so far.
import { type JsonValue, WholeFloat } from '@instar/machinery';

/** Upstream collects no more than this. */
const MAX_UNKNOWN_FIELDS = 100;

/** Converts a value to its normal form. Faults are collected in the walk, never thrown. */
export type Decode = (value: JsonValue, walk: Walk) => JsonValue;

export interface Codec {
  readonly decode: Decode;
  /** What Go prints for the zero value. */
  zero(): JsonValue;
  isEmpty(value: JsonValue): boolean;
}

/**
 * Where the decoder is and what it found. Go has two paths: one of struct fields for errors, one with indexes
 * and keys for unknown fields.
 */
export class Walk {
  structName = '';
  readonly fields: string[] = [];
  readonly path: (string | number)[] = [];
  readonly unknownFields: string[] = [];
  #firstFault: string | undefined;
  #fatal: string | undefined;

  get error(): string | undefined {
    return this.#fatal ?? this.#firstFault;
  }

  /** A fault after which Go continues; the first one is reported. */
  fault(text: string): void {
    this.#firstFault ??= text;
  }

  /** A fault that ends Go's decoding, and replaces those saved before. */
  fatal(text: string): void {
    this.#fatal ??= text;
  }

  mismatch(value: JsonValue, goType: string): string {
    const into =
      this.structName === '' ? 'Go value' : `Go struct field ${this.structName}.${this.fields.join('.')}`;
    return `json: cannot unmarshal ${jsonTypeOf(value, goType)} into ${into} of type ${goType}`;
  }

  unknown(key: string): void {
    if (this.unknownFields.length < MAX_UNKNOWN_FIELDS)
      this.unknownFields.push(pathText([...this.path, key]));
  }

  enterKey(key: string): void {
    this.path.push(key);
  }

  enterIndex(index: number): void {
    this.path.push(index);
  }

  leave(): void {
    this.path.pop();
  }
}

function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}

function jsonTypeOf(value: JsonValue, goType: string): string {
  if (Array.isArray(value)) return 'array';
  if (value instanceof WholeFloat) return jsonNumber(value.text, goType);
  if (typeof value === 'number' || typeof value === 'bigint') return jsonNumber(String(value), goType);
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'object';
}

const jsonNumber = (text: string, goType: string): string =>
  /^u?int\d*$/.test(goType) ? `number ${text}` : 'number';
