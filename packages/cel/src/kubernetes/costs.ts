/**
 * The cost of each function in Kubernetes: the run-time count in `costs`, the worst case before anything runs
 * in `estimates`. Both are part of the API (they decide which rules and objects are accepted), so they mirror
 * upstream exactly, including its quirks. Costs are defined by the name of a function, so they also apply to
 * functions of CEL's own extensions, such as substring.
 */

import { utf8Length } from '@instar/go';
import { listCreateCost, regexLengthFactor, stringTraversalFactor, structCreateCost } from '../cost/range.ts';
import type { CallCost, CostModel } from '../extension.ts';
import { mapOfValue } from '../values/comparable.ts';
import { CelList, Opaque, sizeOf, type Value } from '../values.ts';
import { estimates } from './estimates.ts';
import { FormatValue } from './libraries/format.ts';
import { SchemaObject } from './schema/schema-object.ts';

const authorizationCheckCost = 350_000;

const traversal = (value: Value | undefined, factor = 1): number =>
  Math.ceil(sizeOf(value!) * factor * stringTraversalFactor);
const nominal: CallCost = () => 1;
const parsing: CallCost = ([text]) => traversal(text);

/**
 * Traversing a value once. Fractions of a unit are dropped for each string, as upstream does.
 */
function treeCost(value: Value): number {
  if (typeof value === 'string') return Math.floor(utf8Length(value) * stringTraversalFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * stringTraversalFactor);
  let cost = 0;
  if (value instanceof CelList) for (const element of value) cost += treeCost(element);
  else {
    const map = mapOfValue(value);
    if (map === undefined) return 1;
    for (const key of map.keys()) cost += treeCost(key) + treeCost(map.get(key)!);
  }
  return cost;
}

function regexCost(text: Value | undefined, regexLength: number): number {
  return Math.ceil((1 + sizeOf(text!)) * stringTraversalFactor) * Math.ceil(regexLength * regexLengthFactor);
}

/** The shortest requirement of a selector has two characters, and each becomes a structure and a list. */
function selectorCost([, selector]: readonly Value[]): number {
  const requirements = Math.ceil(sizeOf(selector!) * 0.5);
  return listCreateCost + traversal(selector) + requirements * (listCreateCost + structCreateCost);
}

/** Objects count with their fields, as maps do. */
function objectComparison(left: Value, right: Value): number | undefined {
  if (!(left instanceof SchemaObject && right instanceof SchemaObject)) return undefined;
  return Math.ceil(Math.min(left.size, right.size) * stringTraversalFactor);
}

function validateCost([format, text]: readonly Value[]): number | undefined {
  return format instanceof FormatValue ? regexCost(text, format.regexSize) : undefined;
}

/** If the overload decides. Of networks, only as many bytes as the prefix covers are compared. */
const costsByOverload = new Map<string, CallCost>([
  // The release's cel-go traverses the whole string here, and has no cost for matches() that is not called on
  // a string.
  ['starts_with_string', parsing],
  ['ends_with_string', parsing],
  ['matches', nominal],
  ['cidr_ip', nominal],
  ['cidr_contains_ip_ip', ([network]) => traversal(network, 2)],
  ['cidr_contains_ip_string', ([network, text]) => traversal(network, 2) + traversal(text)],
  ['cidr_contains_cidr', ([network]) => traversal(network, 2) + traversal(network) + 1],
  [
    'cidr_contains_cidr_string',
    ([network, text]) => traversal(network, 2) + traversal(network) + 1 + traversal(text),
  ],
]);

const costs = new Map<string, CallCost>();

function price(names: string, cost: CallCost): void {
  for (const name of names.split(' ')) costs.set(name, cost);
}

price('check', () => authorizationCheckCost);
price('serviceAccount path group resource subresource namespace name allowed reason error errored', nominal);
price('fieldSelector labelSelector', selectorCost);
price('isSorted sum max min indexOf lastIndexOf', ([list]) => treeCost(list!));
price('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', parsing);
price('replace split', ([text]) => traversal(text, 2));
price('join', (_, result) => traversal(result, 2));
price('find findAll', ([text, regex]) => regexCost(text, sizeOf(regex!)));
price('cidr isIP isCIDR', parsing);
price('ip', parsing);
price('ip.isCanonical', ([text]) => traversal(text, 2));
price(
  'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
  nominal,
);
price('quantity isQuantity semver isSemver', parsing);
price('validate', validateCost);
price('format.named', nominal);
price(
  'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
  nominal,
);
price('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal);
price('_==_', ([left, right]) => (left instanceof Opaque ? 1 : objectComparison(left!, right!)));
price('_!=_', ([left, right]) => objectComparison(left!, right!));

export const kubernetesCosts: CostModel = {
  presenceTestCost: 0,
  callCost: (name, overloadId) => costsByOverload.get(overloadId) ?? costs.get(name),
  estimateCall: (name, overloadId) => estimates.get(name)?.(overloadId),
};
