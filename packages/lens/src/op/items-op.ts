// Operations on every item of a list. Their stash is matched by the keys of the items if the author names
// them, and otherwise by the index and a witness of the item.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { Look } from '../path/look.ts';
import { ITEMS, keysOf, type Path, printPath } from '../path/path.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import { HERE, objectAt, ownList, ownObject } from '../site/site.ts';
import type { StashNode } from '../stash/entry.ts';
import { encodeItems, type StashedItem, stashedItems } from '../stash/items.ts';
import { type Direction, keep, kept, type Op, type OpRun } from './op.ts';
import { lookOf, type OpList, readSchemaOf, runOps } from './op-list.ts';

export interface ItemsOpOptions {
  readonly key: string;
  readonly text: string;
  readonly path: Path;
  readonly ops: OpList;
  /** Fields that identify items, in the old version and in the new. */
  readonly leftKeys?: readonly string[];
  readonly rightKeys?: readonly string[];
}

export class ItemsOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly #path: Path;
  readonly #keys: readonly string[];
  readonly #ops: OpList;
  readonly #leftKeys: readonly string[] | undefined;
  readonly #rightKeys: readonly string[] | undefined;

  constructor({ key, text, path, ops, leftKeys, rightKeys }: ItemsOpOptions) {
    this.key = key;
    this.text = text;
    this.paths = [path];
    this.#path = path;
    this.#keys = [HERE, ...keysOf(path)];
    this.#ops = ops;
    this.#leftKeys = leftKeys;
    this.#rightKeys = rightKeys ?? leftKeys;
  }

  forward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, 'forward', this.#rightKeys);
  }

  backward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, 'backward', this.#leftKeys);
  }

  /** `keysAfter`: what identifies the converted items. */
  #run(site: JsonObject, run: OpRun, direction: Direction, keysAfter: readonly string[] | undefined): void {
    const list = this.#ownList(site, run);
    if (list === undefined) return;
    const { input, output } = run;
    const entry = kept(run, this.key);
    const found = entry === undefined ? undefined : stashedItems(entry, list);
    const lost: StashedItem[] = [];
    for (let i = 0; i < list.length; i++) {
      list[i] = this.#item(list[i]!, run, found?.get(i), direction);
      if (run.output !== undefined) lost.push({ index: i, node: run.output });
    }
    run.input = input;
    run.output = output;
    if (lost.length > 0) keep(run, this.key, encodeItems(lost, list, keysAfter));
  }

  #item(item: JsonValue, run: OpRun, node: StashNode | undefined, direction: Direction): JsonValue {
    // A list cannot contain undefined: null represents an item of which nothing is left.
    const site: JsonObject = item === null ? {} : { [HERE]: item };
    run.input = node;
    run.output = undefined;
    runOps(this.#ops, direction, site, run);
    return Object.hasOwn(site, HERE) ? site[HERE]! : null;
  }

  #ownList(site: JsonObject, { owned }: OpRun): JsonValue[] | undefined {
    const last = this.#keys.length - 1;
    const parent = objectAt(site, this.#keys, last);
    if (parent === undefined || !Array.isArray(parent[this.#keys[last]!])) return undefined;
    let here = site;
    for (let i = 0; i < last; i++) here = ownObject(here, this.#keys[i]!, owned);
    return ownList(here, this.#keys[last]!, owned);
  }

  look(look: Look): void {
    lookOf(this.#ops, look.below([...this.#path, ITEMS]));
  }

  readSchema(reading: SchemaReading, direction: Direction): void {
    const keys = direction === 'forward' ? reading.listKeys(this.#path) : undefined;
    if (keys !== undefined && this.#leftKeys === undefined)
      reading.report(
        'lossy',
        'info',
        this.#path,
        this.text,
        `what is stashed is found more reliably with each and keys: [${keys.join(', ')}]`,
      );
    reading.within(this.#path, ITEMS, `each ${printPath(this.#path)}`, (inner) =>
      readSchemaOf(this.#ops, inner, direction),
    );
  }
}
