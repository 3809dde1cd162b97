// A map of the host: a plain object with string keys and the reader of its values. Only own properties count,
// so that a key such as `constructor` or `__proto__` is data like any other.
import { CelMap } from './map.ts';
import type { HostReader } from './types.ts';
import type { Value } from './value.ts';

/** A map of the host, read in place. */
export class HostMap extends CelMap {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly read: HostReader;
  private names: readonly string[] | undefined;

  constructor(raw: Readonly<Record<string, unknown>>, read: HostReader) {
    super();
    this.raw = raw;
    this.read = read;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: Value): Value | undefined {
    return typeof key === 'string' && Object.hasOwn(this.raw, key) ? this.read(this.raw[key]) : undefined;
  }

  override has(key: Value): boolean {
    return typeof key === 'string' && Object.hasOwn(this.raw, key);
  }

  keys(): readonly string[] {
    this.names ??= Object.keys(this.raw);
    return this.names;
  }
}
