/**
 * A list of type `set`: equal in any order, and a sum has each element once. Sets of anything but scalars
 * behave as plain lists.
 */
import { work } from '../../meter.ts';
import { HostList } from '../../values/host-list.ts';
import { CelList, type Value } from '../../values.ts';
import { scalarKey } from './scalar-key.ts';

const asValue = (raw: unknown): Value => raw as Value;

export class SetList extends HostList {
  private keys: ReadonlySet<string> | undefined;

  override equals(other: Value): boolean {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    const mine = this.elementKeys();
    const theirs = keysOf(other);
    if (mine === undefined || theirs === undefined) return super.equals(other);
    if (mine.size !== theirs.size) return false;
    for (const key of theirs) if (!mine.has(key)) return false;
    return true;
  }

  /** The elements of this set in order, then those that are only in the other. */
  override concat(other: CelList): CelList {
    const keys = new Set(this.elementKeys());
    const merged: Value[] = [...this];
    for (const element of other) {
      const key = scalarKey(element);
      if (key === undefined) return super.concat(other);
      if (!keys.has(key)) merged.push(element);
      keys.add(key);
    }
    return new SetList(merged, asValue);
  }

  private elementKeys(): ReadonlySet<string> | undefined {
    this.keys ??= keysOf(this);
    return this.keys;
  }
}

function keysOf(list: CelList): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (let index = 0; index < list.size; index++) {
    work(1);
    const key = scalarKey(list.at(index));
    if (key === undefined) return undefined;
    keys.add(key);
  }
  return keys;
}
