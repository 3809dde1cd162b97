// when: operations that apply only if a field says so, as in unions with a discriminator. Each direction
// looks at its own version's field; if the result does not show which branch was taken, that is stashed.
import { deepEqual, fieldErrors, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { type Direction, keep, kept, type Op, type OpRun } from '../op/op.ts';
import { lookOf, type OpList, readSchemaOf, runOps } from '../op/op-list.ts';
import type { Look } from '../path/look.ts';
import { isWildcard, overlaps, type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { type OpReader, readerBelow } from '../reader/op-reader.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import { type Slot, slotOf } from '../site/slot.ts';
import { malformed } from '../stash/entry.ts';
import { witnessOf } from '../stash/witness.ts';

interface Test {
  readonly path: Path;
  readonly slot: Slot;
  readonly holds: (value: JsonValue | undefined) => boolean;
  readonly text: string;
}

export const when: OpKind = {
  name: 'when',
  parse(reader) {
    reader.only('left', 'right', 'ops', 'otherwise');
    const left = testOf(reader, 'left');
    const right = reader.has('right') ? testOf(reader, 'right') : left;
    const ops = reader.ops('ops');
    const otherwise = reader.has('otherwise') ? reader.ops('otherwise') : [];
    if (left === undefined || right === undefined) return undefined;
    const touching = [...ops, ...otherwise].find(
      (op) => !reader.has('right') && op.paths.some((path) => overlaps(path, left.path)),
    );
    if (touching !== undefined)
      return reader.fail(
        'right',
        `${touching.text} touches ${printPath(left.path)}: say how objects of the new version are distinguished`,
      );
    return new WhenOp(reader.key([left.path, right.path]), left, right, ops, otherwise);
  },
};

function testOf(reader: OpReader, field: string): Test | undefined {
  const below = readerBelow(reader, field);
  if (below === undefined) return undefined;
  below.only('path', 'equals', 'in', 'exists');
  const path = below.path('path');
  const said = ['equals', 'in', 'exists'].filter((name) => below.has(name));
  if (said.length !== 1)
    reader.scope.errors.push(
      fieldErrors.invalid(below.at, undefined, 'must have exactly one of equals, in, exists'),
    );
  if (path === undefined || said.length !== 1) return undefined;
  if (path.some(isWildcard))
    return below.fail(
      'path',
      'must not pass through a list or a map: put the condition inside each or perValue',
    );
  const holds = holdsOf(below, said[0]!);
  return holds === undefined
    ? undefined
    : { path, slot: slotOf(path), holds, text: `${printPath(path)} ${said[0]}` };
}

function holdsOf(reader: OpReader, said: string): Test['holds'] | undefined {
  const operand = reader.value(said)!;
  if (said === 'equals') return (value) => deepEqual(value, operand);
  if (said === 'exists')
    return typeof operand === 'boolean'
      ? (value) => (value !== undefined) === operand
      : reader.fail('exists', 'must be true or false');
  return Array.isArray(operand)
    ? (value) => operand.some((one) => deepEqual(one, value))
    : reader.fail('in', 'must be a list');
}

class WhenOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly #left: Test;
  readonly #right: Test;
  readonly #then: OpList;
  readonly #otherwise: OpList;

  constructor(key: string, left: Test, right: Test, then: OpList, otherwise: OpList) {
    this.key = key;
    this.text = `when ${left.text}`;
    this.paths = [left.path, right.path, ...[...then, ...otherwise].flatMap((op) => op.paths)];
    this.#left = left;
    this.#right = right;
    this.#then = then;
    this.#otherwise = otherwise;
  }

  forward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, 'forward', this.#left, this.#right);
  }

  backward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, 'backward', this.#right, this.#left);
  }

  #run(site: JsonObject, run: OpRun, direction: Direction, here: Test, there: Test): void {
    const { input, output } = run;
    const { branch, node } = this.#choice(site, run, here);
    run.input = node;
    run.output = undefined;
    runOps(branch ? this.#then : this.#otherwise, direction, site, run);
    const inner = run.output as JsonObject | undefined;
    run.input = input;
    run.output = output;
    const seen = there.slot.value(site);
    const isTold = there.holds(seen) === branch;
    if (inner !== undefined || !isTold)
      keep(run, this.key, { b: branch, ...(!isTold && { w: witnessOf(seen) }), ...(inner && { n: inner }) });
  }

  /** Operations of the other branch stashed nothing for this one. */
  #choice(site: JsonObject, run: OpRun, here: Test): { branch: boolean; node: JsonObject | undefined } {
    const seen = here.slot.value(site);
    const entry = kept(run, this.key);
    if (entry === undefined) return { branch: here.holds(seen), node: undefined };
    if (!isJsonObject(entry) || typeof entry['b'] !== 'boolean') throw malformed();
    const isAsItWas = entry['w'] === witnessOf(seen);
    const branch = isAsItWas ? entry['b'] : here.holds(seen);
    const node = entry['n'];
    return { branch, node: branch === entry['b'] && isJsonObject(node) ? node : undefined };
  }

  look(look: Look): void {
    for (const { path } of [this.#left, this.#right]) look.sees(path);
    lookOf(this.#then, look);
    lookOf(this.#otherwise, look);
  }

  /**
   * Either branch may have been taken: a field is certain only if it is after both. Types are read along the
   * first.
   */
  readSchema(reading: SchemaReading, direction: Direction): void {
    const test = direction === 'forward' ? this.#left : this.#right;
    reading.at(test.path, this.text);
    reading.branches(
      (inner) => readSchemaOf(this.#then, inner, direction),
      (inner) => readSchemaOf(this.#otherwise, inner, direction),
    );
  }
}
