// A sequence of operations; backward, in reverse.
import type { JsonObject } from '@instar/machinery';
import type { Look } from '../path/look.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import type { Direction, Op, OpRun } from './op.ts';

export type OpList = readonly Op[];

export function runOps(ops: OpList, direction: Direction, site: JsonObject, run: OpRun): void {
  if (direction === 'forward') for (let i = 0; i < ops.length; i++) ops[i]!.forward(site, run);
  else for (let i = ops.length - 1; i >= 0; i--) ops[i]!.backward(site, run);
}

export function lookOf(ops: OpList, look: Look): void {
  for (const op of ops) op.look(look);
}

export function readSchemaOf(ops: OpList, reading: SchemaReading, direction: Direction): void {
  for (const op of direction === 'forward' ? ops : ops.toReversed()) op.readSchema(reading, direction);
}
