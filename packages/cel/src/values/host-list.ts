// A list of the host: an array of raw values and their reader.
import { CelList } from './list.ts';
import type { HostReader } from './types.ts';
import type { Value } from './value.ts';

/** A list of the host, read in place. */
export class HostList extends CelList {
  readonly raw: readonly unknown[];
  readonly read: HostReader;

  constructor(raw: readonly unknown[], read: HostReader) {
    super();
    this.raw = raw;
    this.read = read;
  }

  get size(): number {
    return this.raw.length;
  }

  at(index: number): Value {
    return this.read(this.raw[index]);
  }
}
