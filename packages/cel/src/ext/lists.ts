// slice, flatten, sort, sortBy, lists.range, reverse, distinct.
import type { Expr } from '../ast.ts';
import {
  type FunctionDeclaration,
  functionOf,
  type Library,
  type Macro,
  memberOverload,
  overload,
} from '../extension.ts';
import { binding } from '../macros/bind.ts';
import { collecting, iterationVariable } from '../macros/standard.ts';
import { work, workAhead } from '../meter.ts';
import { compareValues } from '../stdlib/compare.ts';
import { equalValues } from '../values/equality.ts';
import { CelError, failure, noSuchOverload } from '../values/error.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { primitiveKey } from '../values/map.ts';
import { typeOf } from '../values/type-of.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from '../values/types.ts';
import type { Int, Value } from '../values.ts';
import { listCosts } from './list-costs.ts';

const listOfT = listType(typeParam('T'));
const comparable: readonly CelType[] = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
];
const longestRange = 10_000_000;

function slice(given: Value, from: Value, to: Value): Value {
  const list = given as CelList;
  const [start, end] = [Number(from as Int), Number(to as Int)];
  if (start < 0 || end < 0) return failure(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    return failure(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (list.size < end) return failure(`cannot slice(${start}, ${end}), list is length ${list.size}`);
  const values: Value[] = [];
  for (let index = start; index < end; index++) {
    work(1);
    values.push(list.at(index));
  }
  return new ArrayList(values);
}

function flatten(list: CelList, depth: number, into: Value[]): Value[] {
  for (const element of list) {
    if (element instanceof CelList && depth > 0) flatten(element, depth - 1, into);
    else into.push(element);
  }
  return into;
}

function flattenTo(list: Value, depth: number): Value {
  if (!(list instanceof CelList)) return failure(`no such overload: ${typeOf(list).name}.flatten()`);
  return depth < 0 ? failure('level must be non-negative') : new ArrayList(flatten(list, depth, []));
}

function range(count: Value): Value {
  const size = Number(count as Int);
  if (size < 0) return failure(`lists.range: size must be non-negative, got ${size}`);
  if (size > longestRange)
    return failure(`lists.range: size ${size} exceeds maximum allowed (${longestRange})`);
  return new Range(size);
}

/** 0, 1, 2, … without storing them. */
class Range extends CelList {
  readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
  }

  at(index: number): Value {
    return index;
  }
}

function reverse(given: Value): Value {
  return new ArrayList([...(given as CelList)].reverse());
}

/** The first of each; scalars are looked up in a set, so that long lists stay fast. */
function distinct(given: Value): Value {
  const seen = new Set<unknown>();
  const others: Value[] = [];
  const values: Value[] = [];
  for (const element of given as CelList) {
    const key = primitiveKey(element);
    if (key !== undefined ? seen.has(key) : others.some((other) => equalValues(other, element))) continue;
    if (key !== undefined) seen.add(key);
    else others.push(element);
    work(8 + others.length);
    values.push(element);
  }
  return new ArrayList(values);
}

/** All overloads share it, so under `dyn` it reports that a value is not a list. */
function sortByKeys(given: Value, by: Value): Value {
  if (!(given instanceof CelList && by instanceof CelList)) return noSuchOverload();
  const elements = [...given];
  const keys = [...by];
  if (elements.length !== keys.length) return failure(sizesDiffer(elements.length, keys.length));
  const first = keys[0];
  if (first === undefined) return given;
  if (compareValues(first, first) instanceof CelError) return failure('list elements must be comparable');
  const type = typeOf(first).name;
  if (keys.some((key) => typeOf(key).name !== type)) return failure('list elements must have the same type');
  workAhead(elements.length * Math.ceil(Math.log2(elements.length + 1)) * 4);
  const order = keys.map((_, index) => index).sort((a, b) => compareValues(keys[a]!, keys[b]!) as number);
  return new ArrayList(order.map((index) => elements[index]!));
}

const sizesDiffer = (list: number, keys: number): string =>
  `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list} and ${keys} elements respectively`;

const inputVariable = '@__sortBy_input__';

/** `list.sortBy(x, key)`: the list is evaluated once, its keys collected, and the list sorted by them. */
const sortBy: Macro = {
  name: 'sortBy',
  receiver: true,
  args: 2,
  expand: (context, target, args): Expr => {
    const { kind } = target!;
    if (kind === 'literal' || kind === 'map' || kind === 'struct') {
      return context.fail(
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
        target,
      );
    }
    const iterVar = iterationVariable(context, args[0]!, 'argument is not an identifier');
    const keys = context.comprehension({
      range: context.ident(inputVariable),
      iterVar,
      ...collecting(context, args[1]!, undefined),
    });
    const sorted = context.memberCall('@sortByAssociatedKeys', context.ident(inputVariable), keys);
    return binding(context, inputVariable, target!, sorted);
  },
};

function functionsOf(version: number): readonly FunctionDeclaration[] {
  const priced = (id: string) => (version >= 3 ? listCosts(id) : {});
  const functions = [
    functionOf(
      'slice',
      memberOverload(
        'list_slice',
        [listOfT, intType, intType],
        listOfT,
        (list, from, to) => slice(list!, from!, to!),
        priced('list_slice'),
      ),
    ),
  ];
  if (version >= 1) functions.push(flattenFunction(priced));
  return version >= 2 ? [...functions, ...laterFunctions(priced)] : functions;
}

type Priced = (id: string) => ReturnType<typeof listCosts>;

const flattenFunction = (priced: Priced): FunctionDeclaration =>
  functionOf(
    'flatten',
    // Elements that are not lists are kept, so at run time any list matches.
    {
      ...memberOverload(
        'list_flatten',
        [listType(listOfT)],
        listOfT,
        (list) => flattenTo(list!, 1),
        priced('list_flatten'),
      ),
      unguarded: true,
    },
    memberOverload(
      'list_flatten_int',
      [listType(dynType), intType],
      listType(dynType),
      (list, depth) => flattenTo(list!, Number(depth as Int)),
      priced('list_flatten_int'),
    ),
  );

const sortOne = (list: Value | undefined): Value => sortByKeys(list!, list!);
const sortTwo = (list: Value | undefined, keys: Value | undefined): Value => sortByKeys(list!, keys!);

const laterFunctions = (priced: Priced): readonly FunctionDeclaration[] => [
  functionOf(
    'sort',
    ...comparable.map((type) =>
      memberOverload(
        `list_${type.name}_sort`,
        [listType(type)],
        listType(type),
        sortOne,
        priced(`list_${type.name}_sort`),
      ),
    ),
  ),
  functionOf(
    '@sortByAssociatedKeys',
    ...comparable.map((type) => {
      const id = `list_${type.name}_sortByAssociatedKeys`;
      return memberOverload(id, [listOfT, listType(type)], listOfT, sortTwo, priced(id));
    }),
  ),
  functionOf(
    'lists.range',
    overload('lists_range', [intType], listType(intType), (count) => range(count!), priced('lists_range')),
  ),
  functionOf(
    'reverse',
    memberOverload('list_reverse', [listOfT], listOfT, (list) => reverse(list!), priced('list_reverse')),
  ),
  functionOf(
    'distinct',
    memberOverload('list_distinct', [listOfT], listOfT, (list) => distinct(list!), priced('list_distinct')),
  ),
];

/** Version 0 has slice; 1 adds flatten; 2 the rest; 3 their costs. */
export function listsLibrary(version = 3): Library {
  return { name: 'lists', functions: functionsOf(version), macros: version >= 2 ? [sortBy] : [] };
}
