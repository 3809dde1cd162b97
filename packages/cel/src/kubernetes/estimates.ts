/**
 * The worst case of each function in Kubernetes, from the sizes of the expression and the schema. costs.ts
 * counts the actual costs.
 */
import {
  addRange,
  fixed,
  listCreateCost,
  multiplyRange,
  one,
  type Range,
  regexLengthFactor,
  scaleRange,
  stringTraversalFactor,
  structCreateCost,
  unbounded,
  unknownRange,
} from '../cost/range.ts';
import type { CallEstimate, CallEstimator, OperandNode, SizeProvider } from '../extension.ts';
import { type CelType, sameType } from '../values/types.ts';
import {
  authorizerType,
  decisionType,
  groupCheckType,
  pathCheckType,
  resourceCheckType,
} from './libraries/authorizer.ts';
import { cidrType } from './libraries/cidr.ts';
import { formatType } from './libraries/format.ts';
import { ipType } from './libraries/ip.ts';
import { quantityType } from './libraries/quantity.ts';
import { semverType } from './libraries/semver.ts';
import { urlType } from './libraries/url.ts';
import { estimateReplacement } from './replacement-size.ts';

const longestFormatName = 64;
const longestNameRegex = 128;
const addressBytes: Range = { min: 4, max: 16 };

function sizeOfNode(sizes: SizeProvider, node: OperandNode): Range {
  return node.computedSize ?? sizes.estimateSize(node) ?? unknownRange;
}

/** The elements of a list as an operand, so that their size can be read from the schema. */
function elementNode(list: OperandNode): OperandNode | undefined {
  const type = list.type.params[0];
  if (type === undefined) return undefined;
  return {
    path: list.path === undefined ? undefined : [...list.path, '@items'],
    type,
    expr: list.expr,
    computedSize: undefined,
  };
}

const traversal = (size: Range, factor = 1): Range => scaleRange(size, factor * stringTraversalFactor);

const nominal: CallEstimator = () => ({ cost: one });
const unpriced: CallEstimator = () => undefined;

/** Reading a string from end to end. */
const parsing: CallEstimator = (sizes, _, [text]) =>
  text === undefined ? undefined : { cost: traversal(sizeOfNode(sizes, text)) };

/** A string made from another one of the same size at most. */
function rewriting(sizes: SizeProvider, text: OperandNode | undefined): CallEstimate | undefined {
  if (text === undefined) return undefined;
  const size = sizeOfNode(sizes, text);
  return { cost: traversal(size), resultSize: size };
}

const selector: CallEstimator = (sizes, _, [text]) => {
  if (text === undefined) return undefined;
  const size = sizeOfNode(sizes, text);
  const requirements = scaleRange(scaleRange(size, 0.5), listCreateCost + structCreateCost);
  return { cost: addRange(addRange(fixed(listCreateCost), traversal(size)), requirements) };
};

const overElements: CallEstimator = (sizes, target) => {
  if (target === undefined) return undefined;
  const size = sizeOfNode(sizes, target);
  const element = elementNode(target);
  if (element === undefined) return { cost: traversal(size) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const perElement = isText ? addRange(one, traversal(sizeOfNode(sizes, element))) : one;
  return { cost: multiplyRange(size, perElement) };
};

const replace: CallEstimator = (sizes, target, [from, to]) => {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const size = sizeOfNode(sizes, target);
  return {
    cost: traversal(size, 2),
    resultSize: estimateReplacement(size, sizeOfNode(sizes, from), sizeOfNode(sizes, to)),
  };
};

const split: CallEstimator = (sizes, target, [, limit]) => {
  if (target === undefined) return undefined;
  const size = sizeOfNode(sizes, target);
  const literal = limit?.expr.kind === 'literal' ? limit.expr.value : undefined;
  const bounded = typeof literal === 'number' || typeof literal === 'bigint';
  // A negative limit means none; upstream reads it as a huge unsigned number.
  const max = bounded ? (literal < 0 ? unbounded : Number(literal)) : size.max;
  return { cost: traversal(size, 2), resultSize: { min: 0, max } };
};

const join: CallEstimator = (sizes, target, [separator]) => {
  if (target === undefined) return undefined;
  const count = sizeOfNode(sizes, target);
  const element = elementNode(target);
  const text = element === undefined ? fixed(0) : multiplyRange(count, sizeOfNode(sizes, element));
  const gaps = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
  const size =
    separator === undefined ? text : addRange(text, multiplyRange(sizeOfNode(sizes, separator), gaps));
  return { cost: traversal(size), resultSize: size };
};

const search: CallEstimator = (sizes, target, [regex]) => {
  if (target === undefined || regex === undefined) return undefined;
  const size = sizeOfNode(sizes, target);
  const cost = multiplyRange(
    traversal(addRange(size, one)),
    scaleRange(sizeOfNode(sizes, regex), regexLengthFactor),
  );
  return { cost, resultSize: { min: 0, max: size.max } };
};

const canonical: CallEstimator = (sizes, _, [text]) =>
  text === undefined ? undefined : { cost: traversal(sizeOfNode(sizes, text), 2) };

const validate: CallEstimator = (sizes, _, [text]) =>
  text === undefined
    ? undefined
    : { cost: scaleRange(traversal(sizeOfNode(sizes, text)), longestNameRegex * regexLengthFactor) };

const comparingAddresses = traversal(addRange(addressBytes, addressBytes));
const comparingNetworks = addRange(addRange(comparingAddresses, traversal(addressBytes)), one);

/** Comparing costs the same for all operands; a string has to be parsed first. */
const containment =
  (base: Range, stringOverload: string) =>
  (overloadId: string): CallEstimator =>
  (sizes, _, [other]) => {
    if (other === undefined) return undefined;
    return {
      cost: overloadId === stringOverload ? addRange(base, traversal(sizeOfNode(sizes, other))) : base,
    };
  };

const comparedAtOnce = [
  ipType,
  cidrType,
  quantityType,
  semverType,
  authorizerType,
  pathCheckType,
  groupCheckType,
  resourceCheckType,
  decisionType,
];

const equality: CallEstimator = (_, __, [left, right]) => {
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  const isOneOf = (types: readonly CelType[]) => types.some((type) => sameType(type, left.type));
  if (isOneOf(comparedAtOnce)) return { cost: one };
  if (isOneOf([formatType])) return { cost: traversal({ min: 1, max: longestFormatName }) };
  // Upstream asks the right side twice.
  if (isOneOf([urlType]))
    return {
      cost: traversal({ min: 1, max: right.computedSize === undefined ? 1 : right.computedSize.max }),
    };
  return undefined;
};

export const estimates = new Map<string, (overloadId: string) => CallEstimator>();

function estimate(names: string, estimator: CallEstimator): void {
  for (const name of names.split(' ')) estimates.set(name, () => estimator);
}

estimate('check', () => ({ cost: fixed(350_000) }));
estimate(
  'serviceAccount path group resource subresource namespace name allowed reason error errored',
  nominal,
);
estimate('fieldSelector labelSelector', selector);
estimate('isSorted sum max min indexOf lastIndexOf', overElements);
estimate('url jsonpatch.escapeKey', (sizes, _, [text]) => rewriting(sizes, text));
estimate('lowerAscii upperAscii substring trim', (sizes, target) => rewriting(sizes, target));
estimate('replace', replace);
estimate('split', split);
estimate('join', join);
estimate('find findAll', search);
estimate('cidr isIP isCIDR quantity isQuantity semver isSemver', parsing);
estimate('ip.isCanonical', canonical);
estimate(
  'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
  nominal,
);
estimate('validate', validate);
estimate('format.named', nominal);
estimate(
  'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
  nominal,
);
estimate('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal);
estimate('_==_', equality);
// matches() that is not called on a string has no cost in the release's cel-go.
estimates.set('matches', (overloadId) => (overloadId === 'matches' ? nominal : unpriced));
estimates.set('ip', (overloadId) => (overloadId === 'cidr_ip' ? nominal : parsing));
estimates.set('containsIP', containment(comparingAddresses, 'cidr_contains_ip_string'));
estimates.set('containsCIDR', containment(comparingNetworks, 'cidr_contains_cidr_string'));
