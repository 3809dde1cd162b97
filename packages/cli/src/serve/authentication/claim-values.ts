// Claims and users as values of CEL, as kube-apiserver shows them to expressions: every number is a double,
// and members of nested objects may be written with escapes (`a__dot__b`).
import { CelMap, Double, listOf, type Value } from '@instar/cel';
import { unescapeName } from '@instar/cel/kubernetes';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

class ClaimMap extends CelMap {
  readonly #claims: JsonObject;
  readonly #isNested: boolean;

  constructor(claims: JsonObject, isNested: boolean) {
    super();
    this.#claims = claims;
    this.#isNested = isNested;
  }

  get size(): number {
    return Object.keys(this.#claims).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const name = this.#isNested ? (unescapeName(key) ?? key) : key;
    return Object.hasOwn(this.#claims, name) ? celValueOf(this.#claims[name]!) : undefined;
  }

  keys(): readonly string[] {
    return Object.keys(this.#claims);
  }
}

function celValueOf(value: JsonValue): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return new Double(Number(value));
  if (Array.isArray(value)) return listOf(value.map(celValueOf));
  return isJsonObject(value) ? new ClaimMap(value, true) : (value as Value);
}

export const claimsValue = (claims: JsonObject): Value => new ClaimMap(claims, false);

/** A map whose keys may be written with escapes. */
export const nestedValue = (map: JsonObject): Value => new ClaimMap(map, true);
