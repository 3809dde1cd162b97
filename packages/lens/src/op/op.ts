// One operation of a lens after parsing: closures for both directions, and its reading of schemas.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { Look } from '../path/look.ts';
import type { Path } from '../path/path.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import type { Owned } from '../site/site.ts';
import type { StashNode } from '../stash/entry.ts';

export type Direction = 'forward' | 'backward';

/** The state of one conversion, as far as operations see it. */
export interface OpRun {
  readonly owned: Owned;
  /** What was stashed of the version that the object is converted to. */
  input: StashNode | undefined;
  /** What has to be stashed of the version that it comes from. */
  output: StashNode | undefined;
}

export interface Op {
  /** Names the operation in the stash: the same as long as its kind and its paths are. */
  readonly key: string;
  /** As `rename spec.tls → spec.validation`. */
  readonly text: string;
  /** Fields that it reads or changes, in either version, relative to its site. */
  readonly paths: readonly Path[];
  /** Changes the site, whose objects are copied before. */
  forward(site: JsonObject, run: OpRun): void;
  backward(site: JsonObject, run: OpRun): void;
  /**
   * Reports how far it looks into objects, in either direction. What it does not report may not exist as a
   * value.
   */
  look(look: Look): void;
  /** Does to a schema what the operation does to objects, and reports what it loses or cannot do. */
  readSchema(reading: SchemaReading, direction: Direction): void;
}

/** What is stashed may be in the object as well: neither may change with the other. */
export function keep(run: OpRun, key: string, entry: JsonValue): void {
  run.owned.forget();
  run.output ??= {};
  run.output[key] = entry;
}

export function kept(run: OpRun, key: string): JsonValue | undefined {
  return run.input !== undefined && Object.hasOwn(run.input, key) ? run.input[key] : undefined;
}
