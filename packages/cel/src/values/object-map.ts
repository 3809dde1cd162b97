// An object of the host as a map, for expressions that do not know its type.
import type { HostObject } from './host-object.ts';
import { CelMap } from './map.ts';
import type { Value } from './value.ts';

export class ObjectMap extends CelMap {
  private readonly object: HostObject;

  constructor(object: HostObject) {
    super();
    this.object = object;
  }

  /** Properties without a declared field count, as upstream. */
  get size(): number {
    return Object.keys(this.object.raw as object).length;
  }

  get(key: Value): Value | undefined {
    return this.has(key) ? this.object.get(key as string) : undefined;
  }

  override has(key: Value): boolean {
    return typeof key === 'string' && this.object.has(key) === true;
  }

  *keys(): Iterable<Value> {
    for (const name of this.object.type.object!.fieldNames()) if (this.has(name)) yield name;
  }
}
