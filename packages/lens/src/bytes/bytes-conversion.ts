// Conversion between two versions without parsing what the lens does not look into. The operations are the
// same as for parsed objects; what they only move are places in the bytes, so that what they did to one
// object holds for every other with the same outline. Whatever would have to be kept, refused or looked at
// more closely is left to whoever parses the object.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  Outline,
  Recipe,
  type Sight,
  SparseReader,
  Splicer,
  sparseValue,
} from '@instar/machinery';
import type { Edge, Leg } from '../graph/version-graph.ts';
import type { Run } from '../op/op.ts';
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
 * Objects of one kind have few outlines, unless the lens looks at values of which there are many. To find out
 * about each of them costs more than to parse it: an outline that was not known takes away credit, one that
 * was gives some back, and without credit nothing is done for that many calls.
 */
const MAX_CREDIT = 256;
const COST = 8;
const PAUSE = 10_000;

/** For objects of one version, on their way to one other. The bytes must be UTF-8. */
export class BytesConversion {
  readonly #legs: readonly OpsLeg[];
  readonly #sight: Sight;
  readonly #from: string;
  readonly #to: string;
  /** The one that was used last comes first. */
  readonly #known: Known[] = [];
  #credit = MAX_CREDIT;
  #pause = 0;

  constructor(legs: readonly OpsLeg[], fromApiVersion: string, toApiVersion: string) {
    this.#legs = legs;
    this.#sight = sightOf(legs);
    this.#from = fromApiVersion;
    this.#to = toApiVersion;
  }

  /** The object in the other version; undefined if it has to be parsed, and perhaps is no JSON. */
  convert(object: Uint8Array): Uint8Array | undefined {
    const reader = new SparseReader(object);
    if (!reader.read(this.#sight) || reader.at !== object.length) return undefined;
    const { recipe } = this.#find(reader) ?? this.#learn(reader);
    if (recipe === undefined) return undefined;
    const out = new Splicer(object);
    out.splice(recipe, reader.places);
    return out.bytes();
  }

  /**
   * The same for several that stand in a list with commas between them: from the one before which the reader
   * stands, as long as they are of this kind, need not be parsed and begin before `end`. How many, which may
   * be none; the reader is left behind the last of them. One call for many, since in a process that has just
   * started every function that is called for each object has to be compiled.
   */
  convertSome(reader: SparseReader, out: Splicer, kind: string, end: number): number {
    if (this.#isPausing()) return 0;
    let count = 0;
    for (;;) {
      const behind = reader.at;
      if (count > 0 && (behind >= end || !reader.takes(COMMA))) return count;
      const known = reader.read(this.#sight) ? (this.#find(reader) ?? this.#learn(reader)) : undefined;
      if (known?.recipe === undefined || known.kind !== kind) {
        reader.at = behind;
        return count;
      }
      if (count++ > 0) out.text(BETWEEN);
      out.splice(known.recipe, reader.places);
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
      if (!known.outline.isThatOf(reader)) continue;
      if (i > 0) all.unshift(...all.splice(i, 1));
      if (this.#credit < MAX_CREDIT) this.#credit++;
      return known;
    }
    return undefined;
  }

  #learn(reader: SparseReader): Known {
    this.#credit -= COST;
    const converted = this.#converted(sparseValue(reader, this.#sight));
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
    return this.#travel(site) ? { ...(site[HERE] as JsonObject), apiVersion: this.#to } : undefined;
  }

  /**
   * False if something has to be kept, or an operation fails: for whoever parses the object to do, or to
   * tell.
   */
  #travel(site: JsonObject): boolean {
    const run: Run = { owned: new Owned(), input: undefined, output: undefined };
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

function sightOf(legs: readonly OpsLeg[]): Sight {
  const look = new Look();
  for (const { edge } of legs) lookOf(edge.ops, look);
  for (const key of ['apiVersion', 'kind']) look.sees([{ key }]);
  look.passes(['metadata', 'annotations', STASH_ANNOTATION].map((key) => ({ key })));
  return look.sight();
}

function isWithoutStash(metadata: JsonValue | undefined): boolean {
  if (!isJsonObject(metadata)) return false;
  const { annotations } = metadata;
  return !isJsonObject(annotations) || !Object.hasOwn(annotations, STASH_ANNOTATION);
}
