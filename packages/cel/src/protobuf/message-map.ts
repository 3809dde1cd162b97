// A map field, read in place. In the message it is a plain object whose property names represent the keys.
import { ScalarType } from '@bufbuild/protobuf';
import { CelMap, type PrimitiveKey, primitiveKey } from '../values/map.ts';
import { normalInt, Uint } from '../values/numbers.ts';
import type { Value } from '../values.ts';
import type { Codec } from './codec.ts';

type KeyKind = 'string' | 'bool' | 'int' | 'uint';

export function keyKindOf(scalar: ScalarType): KeyKind {
  switch (scalar) {
    case ScalarType.STRING:
      return 'string';
    case ScalarType.BOOL:
      return 'bool';
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return 'uint';
    default:
      return 'int';
  }
}

const primitiveOf: Readonly<Record<KeyKind, ReadonlySet<string>>> = {
  string: new Set(['string']),
  bool: new Set(['boolean']),
  int: new Set(['number', 'bigint']),
  uint: new Set(['number', 'bigint']),
};

function keyOf(kind: KeyKind, name: string): Value {
  switch (kind) {
    case 'string':
      return name;
    case 'bool':
      return name === 'true';
    case 'int':
      return normalInt(BigInt(name));
    case 'uint':
      return new Uint(normalInt(BigInt(name)));
  }
}

export class MessageMap extends CelMap {
  private readonly raw: Readonly<Record<string, unknown>>;
  private readonly kind: KeyKind;
  private readonly values: Codec;

  constructor(raw: Readonly<Record<string, unknown>>, kind: KeyKind, values: Codec) {
    super();
    this.raw = raw;
    this.kind = kind;
    this.values = values;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  get(key: Value): Value | undefined {
    const name = this.propertyOf(primitiveKey(key));
    return name === undefined ? undefined : this.values.read(this.raw[name]);
  }

  override has(key: Value): boolean {
    return this.propertyOf(primitiveKey(key)) !== undefined;
  }

  private propertyOf(key: PrimitiveKey | undefined): string | undefined {
    if (key === undefined || !primitiveOf[this.kind].has(typeof key)) return undefined;
    const name = String(key);
    return Object.hasOwn(this.raw, name) ? name : undefined;
  }

  *keys(): Iterable<Value> {
    for (const name of Object.keys(this.raw)) yield keyOf(this.kind, name);
  }
}
