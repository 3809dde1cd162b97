// Operations on every value of a map. Their stash is keyed like the map.
import { isJsonObject, type JsonObject, setMember } from '@instar/machinery';
import type { Look } from '../path/look.ts';
import { keysOf, type Path, printPath, VALUES } from '../path/path.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import { HERE, objectAt, ownObject } from '../site/site.ts';
import { malformed } from '../stash/entry.ts';
import { type Direction, keep, kept, type Op, type OpRun } from './op.ts';
import { lookOf, type OpList, readSchemaOf, runOps } from './op-list.ts';

export interface ValuesOpOptions {
  readonly key: string;
  readonly text: string;
  readonly path: Path;
  readonly ops: OpList;
}

export class ValuesOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly #path: Path;
  readonly #keys: readonly string[];
  readonly #ops: OpList;

  constructor({ key, text, path, ops }: ValuesOpOptions) {
    this.key = key;
    this.text = text;
    this.paths = [path];
    this.#path = path;
    this.#keys = [HERE, ...keysOf(path)];
    this.#ops = ops;
  }

  forward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, 'forward');
  }

  backward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, 'backward');
  }

  #run(site: JsonObject, run: OpRun, direction: Direction): void {
    if (objectAt(site, this.#keys, this.#keys.length) === undefined) return;
    let map = site;
    for (const key of this.#keys) map = ownObject(map, key, run.owned);
    const { input, output } = run;
    const entry = kept(run, this.key);
    if (entry !== undefined && !isJsonObject(entry)) throw malformed();
    const nodes: JsonObject = {};
    for (const key of Object.keys(map)) {
      const node = entry !== undefined && Object.hasOwn(entry, `=${key}`) ? entry[`=${key}`] : undefined;
      if (node !== undefined && !isJsonObject(node)) throw malformed();
      const inner: JsonObject = map[key] === null ? {} : { [HERE]: map[key]! };
      run.input = node;
      run.output = undefined;
      runOps(this.#ops, direction, inner, run);
      setMember(map, key, Object.hasOwn(inner, HERE) ? inner[HERE]! : null);
      if (run.output !== undefined) nodes[`=${key}`] = run.output;
    }
    run.input = input;
    run.output = output;
    if (Object.keys(nodes).length > 0) keep(run, this.key, nodes);
  }

  look(look: Look): void {
    lookOf(this.#ops, look.below([...this.#path, VALUES]));
  }

  readSchema(reading: SchemaReading, direction: Direction): void {
    reading.within(this.#path, VALUES, `perValue ${printPath(this.#path)}`, (inner) =>
      readSchemaOf(this.#ops, inner, direction),
    );
  }
}
