// cel: a pair of expressions, for what no other operation expresses. Each must undo the other; if not, the
// value is stashed as usual. The cost of an evaluation is bounded, as in rules of schemas.
import {
  CompileError,
  compile,
  dynType,
  type Environment,
  type Program,
  validateDurationLiterals,
  validateRegexLiterals,
  validateTimestampLiterals,
} from '@instar/cel';
import { kubernetesEnvironment, perCallLimit } from '@instar/cel/kubernetes';
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { LensError } from '../lens-error.ts';
import type { Direction, Op } from '../op/op.ts';
import type { ManyReading, ValueReading } from '../op/reading.ts';
import { SlotOp } from '../op/slot-op.ts';
import { type Path, printPath, samePath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import type { OpReader } from '../reader/op-reader.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import { CelFault, jsonOf } from './cel-result.ts';
import { relocation } from './relocating.ts';

export const cel: OpKind = {
  name: 'cel',
  parse(reader) {
    reader.only('from', 'to', 'forward', 'backward', 'maxCost');
    const from = reader.onePathOrMore('from');
    const to = reader.has('to') ? reader.onePathOrMore('to') : from;
    const [forward, backward] = [program(reader, 'forward'), program(reader, 'backward')];
    const limit = reader.value('maxCost') ?? perCallLimit;
    if (typeof limit !== 'number' || !(limit > 0 && limit <= perCallLimit))
      return reader.fail('maxCost', `must be a number up to ${perCallLimit}`);
    if (from === undefined || to === undefined || forward === undefined || backward === undefined)
      return undefined;
    return from.length === 1 && to.length === 1
      ? single(reader, from[0]!, to[0]!, forward, backward, limit)
      : several(reader, from, to, forward, backward, limit);
  },
};

let environment: Environment | undefined;

/** Lists and maps may have values of several types here: results are JSON. */
function lensEnvironment(): Environment {
  environment ??= kubernetesEnvironment().extend({
    variables: { self: dynType },
    homogeneousLiterals: false,
    validators: [validateDurationLiterals, validateTimestampLiterals, validateRegexLiterals],
  });
  return environment;
}

function program(reader: OpReader, field: string): Program | undefined {
  const text = reader.text(field);
  if (text === undefined) return undefined;
  try {
    return compile(text, lensEnvironment());
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return reader.fail(field, error.message);
  }
}

function single(
  reader: OpReader,
  from: Path,
  to: Path,
  forward: Program,
  backward: Program,
  limit: number,
): Op | undefined {
  const one = (run: Program, path: Path): ValueReading => ({
    convert: (value) => (value === undefined ? undefined : (evaluate(run, value, limit, path) ?? undefined)),
  });
  return relocation(reader, from, to, 'to', (left, right) => ({
    forward: one(forward, left),
    backward: one(backward, right),
    schema: (reading, direction, op) => {
      const [path, run] = direction === 'forward' ? [left, forward] : [right, backward];
      if (reading.at(path, op) === undefined) return undefined;
      reportUnproved(reading, path, op);
      return { schema: schemaOf(run), isSure: true };
    },
  }));
}

function several(
  reader: OpReader,
  from: Path[],
  to: Path[],
  forward: Program,
  backward: Program,
  limit: number,
): Op | undefined {
  const apart = [...from, ...to.filter((path) => !from.some((other) => samePath(path, other)))];
  if (!reader.areApart(apart, 'to')) return undefined;
  const text = `cel ${from.map(printPath).join(', ')} → ${to.map(printPath).join(', ')}`;
  const key = reader.key([...from, ...to]);
  return throughWildcards(reader, 'to', [...from, ...to], (...inner) => {
    const [left, right] = [inner.slice(0, from.length), inner.slice(from.length)];
    const readSchema = (reading: SchemaReading, direction: Direction): void => {
      const [sources, targets] = direction === 'forward' ? [left, right] : [right, left];
      for (const path of sources)
        if (reading.at(path, text) !== undefined && !targets.some((target) => samePath(target, path)))
          reading.clear(path, targets);
      reportUnproved(reading, sources[0]!, text);
      for (const path of targets) reading.put(path, {}, undefined, text);
    };
    return new SlotOp({
      key,
      text,
      left,
      right,
      forward: many(forward, left.length, right, limit),
      backward: many(backward, right.length, left, limit),
      readSchema,
    });
  });
}

const many = (run: Program, sources: number, targets: readonly Path[], limit: number): ManyReading => ({
  convert: (values) => {
    const self = values.map((value) => value ?? null);
    const result = evaluate(run, sources === 1 ? self[0]! : self, limit, targets[0]!);
    if (targets.length === 1) return [result ?? undefined];
    if (!Array.isArray(result) || result.length !== targets.length)
      throw new LensError(
        'value',
        `the expression must give a list of ${targets.length} values`,
        printPath(targets[0]!),
      );
    return result.map((value) => value ?? undefined);
  },
});

function evaluate(run: Program, self: JsonValue, limit: number, path: Path): JsonValue {
  try {
    return jsonOf(run.evaluate({ self }, { maxCost: limit }).value);
  } catch (error) {
    if (error instanceof CelFault)
      throw new LensError('value', `${error.message} [${run.source}]`, printPath(path));
    throw error;
  }
}

function reportUnproved(reading: SchemaReading, path: Path, op: string): void {
  reading.report(
    'lossy',
    'info',
    path,
    op,
    'expressions are not read: what they do not carry shows when objects are converted',
  );
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  uint: 'integer',
  double: 'number',
  string: 'string',
  bool: 'boolean',
  list: 'array',
  map: 'object',
};

function schemaOf({ type }: Program): JSONSchemaProps {
  const name = Object.hasOwn(TYPES, type.kind) ? TYPES[type.kind] : undefined;
  return name === undefined
    ? {}
    : {
        type: name,
        ...(name === 'array' || name === 'object' ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      };
}
