// Evaluates a path. Missing keys find nothing (client-go's AllowMissingKeys); what upstream treats as an
// error, such as an index out of bounds or a filter on something other than a list, throws EvaluationError,
// which json-path.ts turns into finding nothing.
import { memberOf } from '../deep-copy.ts';
import { isJsonObject, type JsonValue } from '../json-value.ts';
import type { PathNode } from './syntax.ts';

export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}

type Find = (input: readonly JsonValue[]) => readonly JsonValue[];

export function compilePath(nodes: readonly PathNode[]): Find {
  const steps = nodes.map(compileNode);
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return only;
  return (input) => {
    let values = input;
    for (const step of steps) values = step(values);
    return values;
  };
}

function compileNode(node: PathNode): Find {
  switch (node.type) {
    case 'text':
      return () => [node.text];
    case 'number':
    case 'bool':
      return (input) => input.map(() => node.value);
    case 'field':
      return (input) => fieldsOf(input, node.name);
    case 'wildcard':
      return (input) => input.flatMap(childrenOf);
    case 'recursive':
      return (input) => input.flatMap(descendants);
    case 'slice':
      return (input) => slices(input, node);
    case 'union': {
      const paths = node.paths.map(compilePath);
      return (input) => paths.flatMap((path) => path(input));
    }
    case 'filter':
      return compileFilter(node);
    case 'identifier':
      return () => {
        throw new EvaluationError(`unrecognized identifier ${node.name}`);
      };
  }
}

function fieldsOf(input: readonly JsonValue[], name: string): JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of input) {
    const member = isJsonObject(value) ? memberOf(value, name) : undefined;
    if (member !== undefined) found.push(member);
  }
  return found;
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** The value and its descendants, without empty lists, objects and strings, and without other scalars. */
function descendants(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendants)];
}

function slices(input: readonly JsonValue[], node: PathNode & { type: 'slice' }): JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of input) {
    if (value === null) continue;
    if (!Array.isArray(value)) throw new EvaluationError('not array or slice');
    const { length } = value;
    const start = fromEnd(node.start?.value ?? 0, length);
    const end = node.end === undefined ? length : endOf(node.end.value, node.end.derived === true, length);
    if (start === end) return found;
    if (start < 0 || start >= length)
      throw new EvaluationError(`array index out of bounds: index ${start}, length ${length}`);
    if (end < 0 || end > length)
      throw new EvaluationError(`array index out of bounds: index ${end - 1}, length ${length}`);
    if (start > end) throw new EvaluationError(`starting index ${start} is greater than ending index ${end}`);
    const step = node.step?.value ?? 1;
    if (step <= 0) throw new EvaluationError('step must be > 0');
    for (let i = start; i < end; i += step) found.push(value[i]!);
  }
  return found;
}

const fromEnd = (index: number, length: number) => (index < 0 ? index + length : index);
const endOf = (index: number, derived: boolean, length: number) =>
  index < 0 || (index === 0 && derived) ? index + length : index;

function compileFilter(node: PathNode & { type: 'filter' }): Find {
  const left = compilePath(node.left);
  const right = compilePath(node.right);
  const passes =
    node.operator === 'exists'
      ? (item: JsonValue) => exists(left, item)
      : comparing(left, node.operator, right);
  return (input) =>
    input.flatMap((value) => {
      if (!Array.isArray(value)) throw new EvaluationError('not array or slice and cannot be filtered');
      return value.filter(passes);
    });
}

function exists(path: Find, item: JsonValue): boolean {
  try {
    return path([item]).length > 0;
  } catch (error) {
    // A path that cannot be evaluated finds nothing.
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

function comparing(left: Find, operator: string, right: Find): (item: JsonValue) => boolean {
  return (item) => {
    const a = single(left([item]));
    if (a === undefined) return false;
    const b = single(right([item]));
    return b === undefined ? false : compare(a, operator, b);
  };
}

function single(values: readonly JsonValue[]): JsonValue | undefined {
  if (values.length > 1) throw new EvaluationError('can only compare one element at a time');
  return values[0];
}

function compare(a: JsonValue, operator: string, b: JsonValue): boolean {
  const type = comparableType(a);
  if (type !== comparableType(b)) throw new EvaluationError('incompatible types for comparison');
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint may be the same
  if (operator === '==') return a == b;
  // biome-ignore lint/suspicious/noDoubleEquals: as above
  if (operator === '!=') return a != b;
  if (type === 'bool') throw new EvaluationError('invalid type for comparison');
  switch (operator) {
    case '<':
      return a! < b!;
    case '<=':
      return a! <= b!;
    case '>':
      return a! > b!;
    case '>=':
      return a! >= b!;
    default:
      throw new EvaluationError(`unrecognized filter operator ${operator}`);
  }
}

function comparableType(value: JsonValue): 'bool' | 'number' | 'string' {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  throw new EvaluationError('invalid type for comparison');
}
