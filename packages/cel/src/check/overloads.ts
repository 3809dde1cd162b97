// Which overloads of a function match the types of a call.
import type { Overload } from '../extension.ts';
import { type CelType, dynType, isDynType, sameType } from '../values/types.ts';
import type { Substitution } from './substitution.ts';

interface Resolution {
  /** All that match; with dyn arguments there may be several. */
  readonly overloads: readonly Overload[];
  /** dyn, if the matching ones differ. */
  readonly result: CelType;
  /** Whether the call has a receiver. */
  readonly member: boolean;
}

/**
 * Memoizes what calls with these types resolve to: without type parameters it is the same in every
 * expression.
 */
type Known = WeakMap<CelType, Resolution>;
const knownUnary = new WeakMap<readonly Overload[], Known>();
const knownBinary = new WeakMap<readonly Overload[], WeakMap<CelType, Known>>();

export function resolveOverloads(
  candidates: readonly Overload[],
  given: readonly CelType[],
  member: boolean,
  substitution: Substitution,
): Resolution | undefined {
  const known = knownOf(candidates, given);
  const last = given[given.length - 1]!;
  const found = known?.get(last);
  if (found !== undefined && found.member === member) return found;
  const resolved = resolveAfresh(candidates, given, member, substitution);
  if (known !== undefined && resolved !== undefined && !resolved.result.open) known.set(last, resolved);
  return resolved;
}

function knownOf(candidates: readonly Overload[], given: readonly CelType[]): Known | undefined {
  const [first, second] = given;
  if (first === undefined || given.length > 2 || first.open || second?.open === true) return undefined;
  return second === undefined
    ? within(knownUnary, candidates)
    : within(within(knownBinary, candidates), first);
}

function within<K extends object, V extends object>(among: WeakMap<K, V>, key: K): V {
  let found = among.get(key);
  if (found === undefined) among.set(key, (found = new WeakMap() as unknown as V));
  return found;
}

function resolveAfresh(
  candidates: readonly Overload[],
  given: readonly CelType[],
  member: boolean,
  substitution: Substitution,
): Resolution | undefined {
  const overloads: Overload[] = [];
  let result: CelType | undefined;
  for (const candidate of candidates) {
    if (
      candidate.member !== member ||
      candidate.params.length !== given.length ||
      clearlyNot(candidate.params, given)
    )
      continue;
    const signature = signatureOf(candidate, substitution);
    if (!substitution.assignableAll(given, signature.params)) continue;
    overloads.push(candidate);
    const type = substitution.resolve(signature.result, false);
    if (result === undefined) result = type;
    else if (!isDynType(result) && !sameType(type, result)) result = dynType;
  }
  return result === undefined ? undefined : { overloads, result, member };
}

/** With fresh type variables for every attempt. */
function signatureOf(candidate: Overload, substitution: Substitution): Pick<Overload, 'params' | 'result'> {
  if (!isGeneric(candidate)) return candidate;
  const [result, ...params] = substitution.instantiate([candidate.result, ...candidate.params]);
  return { result: result!, params };
}

const scalars = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes']);

/** Most candidates are excluded here without unification: two different scalars never match. */
function clearlyNot(params: readonly CelType[], given: readonly CelType[]): boolean {
  for (let index = 0; index < params.length; index++) {
    const [param, type] = [params[index]!, given[index]!];
    if (param.kind !== type.kind && scalars.has(param.kind) && scalars.has(type.kind)) return true;
  }
  return false;
}

function isGeneric(overload: Overload): boolean {
  return overload.result.open || overload.params.some((param) => param.open);
}
