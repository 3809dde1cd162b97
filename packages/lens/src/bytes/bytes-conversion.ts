// Conversion between two versions without parsing what the lens does not inspect. The operations are the same
// as for values; what they only move are positions in the bytes, so their effect on one object holds for
// every other with the same outline. Anything that would have to be stashed, refused or inspected more
// closely is left to the conversion of parsed objects.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  Outline,
  type Projection,
  Recipe,
  SparseReader,
  Splicer,
  sparseValue,
} from '@instar/machinery';
import type { Edge, Leg } from '../graph/version-graph.ts';
import type { OpRun } from '../op/op.ts';
import { lookOf, type OpList, runOps } from '../op/op-list.ts';
import { Look } from '../path/look.ts';
import { HERE, Owned } from '../site/site.ts';
import { STASH_ANNOTATION } from '../stash/annotation.ts';

type OpsLeg = Leg<Edge & { readonly ops: OpList }>;

/** How objects with some outline are converted; undefined if they have to be parsed. */
interface Known {
  readonly outline: Outline;
  readonly kind: JsonValue | undefined;
  readonly recipe: Recipe | undefined;
}

const COMMA = 0x2c;
const BETWEEN = Uint8Array.of(COMMA);

const MAX_KNOWN = 16;
const MAX_OUTLINE_BYTES = 4096;
/**
 * Objects of one kind have few outlines, unless the lens inspects values of which there are many. To work out
 * a new outline costs more than parsing: a new one uses up credit, a known one gives some back, and without
 * credit nothing is tried for that many calls.
 */
const MAX_CREDIT = 256;
const COST = 8;
const PAUSE = 10_000;

/** For objects of one version, converted to one other. The bytes must be UTF-8. */
export class BytesConversion {
  readonly #legs: readonly OpsLeg[];
  readonly #projection: Projection;
  readonly #from: string;
  readonly #to: string;
  /** The most recently used one is first. */
  readonly #known: Known[] = [];
  #credit = MAX_CREDIT;
  #pause = 0;

  constructor(legs: readonly OpsLeg[], fromApiVersion: string, toApiVersion: string) {
    this.#legs = legs;
    this.#projection = projectionOf(legs);
    this.#from = fromApiVersion;
    this.#to = toApiVersion;
  }

  /** The object in the other version; undefined if it has to be parsed, and perhaps is not JSON. */
  convert(object: Uint8Array): Uint8Array | undefined {
    const reader = new SparseReader(object);
    if (!reader.read(this.#projection) || reader.at !== object.length) return undefined;
    const { recipe } = this.#find(reader) ?? this.#learn(reader);
    if (recipe === undefined) return undefined;
    const out = new Splicer(object);
    out.splice(recipe, reader.ranges);
    return out.bytes();
  }

  /**
   * The same for several in a list, separated by commas: from the reader's position, as long as they are of
   * this kind, need not be parsed and begin before `end`. Returns how many, possibly none; the reader is left
   * after the last of them. One call for many, since in a process that has just started every function called
   * per object has to be compiled.
   */
  convertSome(reader: SparseReader, out: Splicer, kind: string, end: number): number {
    if (this.#isPausing()) return 0;
    let count = 0;
    for (;;) {
      const start = reader.at;
      if (count > 0 && (start >= end || !reader.takes(COMMA))) return count;
      const known = reader.read(this.#projection) ? (this.#find(reader) ?? this.#learn(reader)) : undefined;
      if (known?.recipe === undefined || known.kind !== kind) {
        reader.at = start;
        return count;
      }
      if (count++ > 0) out.text(BETWEEN);
      out.splice(known.recipe, reader.ranges);
    }
  }

  #isPausing(): boolean {
    if (this.#pause === 0 && this.#credit > 0) return false;
    if (this.#pause === 0) {
      this.#pause = PAUSE;
      this.#credit = MAX_CREDIT;
    }
    this.#pause--;
    return true;
  }

  #find(reader: SparseReader): Known | undefined {
    const all = this.#known;
    for (let i = 0; i < all.length; i++) {
      const known = all[i]!;
      if (!known.outline.matches(reader)) continue;
      if (i > 0) all.unshift(...all.splice(i, 1));
      if (this.#credit < MAX_CREDIT) this.#credit++;
      return known;
    }
    return undefined;
  }

  #learn(reader: SparseReader): Known {
    this.#credit -= COST;
    const converted = this.#converted(sparseValue(reader, this.#projection));
    const recipe = converted === undefined ? undefined : new Recipe(converted);
    const known = { outline: new Outline(reader), kind: converted?.['kind'], recipe };
    if (known.outline.bytes > MAX_OUTLINE_BYTES) return known;
    this.#known.length = Math.min(this.#known.length, MAX_KNOWN - 1);
    this.#known.unshift(known);
    return known;
  }

  #converted(object: JsonValue): JsonObject | undefined {
    if (!isJsonObject(object) || object['apiVersion'] !== this.#from || !isWithoutStash(object['metadata']))
      return undefined;
    const site: JsonObject = { [HERE]: object };
    return this.#runOps(site) ? { ...(site[HERE] as JsonObject), apiVersion: this.#to } : undefined;
  }

  /** False if something has to be stashed, or an operation fails: then the object has to be parsed. */
  #runOps(site: JsonObject): boolean {
    const run: OpRun = { owned: new Owned(), input: undefined, output: undefined };
    try {
      for (const { edge, direction } of this.#legs) {
        runOps(edge.ops, direction, site, run);
        if (run.output !== undefined) return false;
      }
      return true;
    } catch {
      return false;
    }
  }
}

function projectionOf(legs: readonly OpsLeg[]): Projection {
  const look = new Look();
  for (const { edge } of legs) lookOf(edge.ops, look);
  for (const key of ['apiVersion', 'kind']) look.sees([{ key }]);
  look.passes(['metadata', 'annotations', STASH_ANNOTATION].map((key) => ({ key })));
  return look.projection();
}

function isWithoutStash(metadata: JsonValue | undefined): boolean {
  if (!isJsonObject(metadata)) return false;
  const { annotations } = metadata;
  return !isJsonObject(annotations) || !Object.hasOwn(annotations, STASH_ANNOTATION);
}
