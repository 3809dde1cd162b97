// regex.extract, regex.extractAll, regex.replace.
import {
  addRange,
  fixed,
  listCreateCost,
  multiplyRange,
  one,
  regexLengthFactor,
  scaleRange,
  stringTraversalFactor,
} from '../cost/range.ts';
import { type CallCost, type CallEstimator, functionOf, type Library, overload } from '../extension.ts';
import { workAhead } from '../meter.ts';
import { announceSearch, compilePattern, type Pattern } from '../stdlib/regex.ts';
import { CelError, failure } from '../values/error.ts';
import { ArrayList } from '../values/list.ts';
import { none, some } from '../values/optional.ts';
import { sizeOf } from '../values/size.ts';
import { intType, listType, optionalType, stringType } from '../values/types.ts';
import type { Int, Value } from '../values.ts';
import { operandSize } from './operand-size.ts';

interface Found {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | null)[];
}

/** All matches; an empty match advances by one. */
function* matchesOf(pattern: Pattern, text: string): Generator<Found> {
  const matcher = pattern.matcher(text);
  for (let from = 0; from <= text.length && matcher.find(from); ) {
    workAhead(64);
    const [start, end] = [matcher.start(), matcher.end()];
    yield {
      start,
      end,
      groups: Array.from({ length: pattern.groupCount() + 1 }, (_, index) => matcher.group(index)),
    };
    from = end > start ? end : end + 1;
  }
}

function withPattern(pattern: Value, mostGroups: number, then: (pattern: Pattern) => Value): Value {
  const compiled = compilePattern(pattern as string);
  if (compiled instanceof CelError) return compiled;
  if (compiled.groupCount() > mostGroups) {
    return failure(`regular expression has more than one capturing group: ${JSON.stringify(pattern)}`);
  }
  return then(compiled);
}

const extract = (text: Value, pattern: Value): Value =>
  withPattern(pattern, 1, (compiled) => {
    announceSearch(compiled, text as string);
    const found = matchesOf(compiled, text as string).next().value as Found | undefined;
    if (found === undefined) return none;
    if (found.groups.length === 1) return some(found.groups[0]!);
    return found.groups[1] === null || found.groups[1] === '' ? none : some(found.groups[1]!);
  });

const extractAll = (text: Value, pattern: Value): Value =>
  withPattern(pattern, 1, (compiled) => {
    announceSearch(compiled, text as string);
    const group = compiled.groupCount();
    const values: Value[] = [];
    for (const { groups } of matchesOf(compiled, text as string)) {
      const value = groups[group];
      if (group === 0 || (value !== null && value !== '')) values.push(value!);
    }
    return new ArrayList(values);
  });

function replace(text: string, pattern: Value, replacement: string, count: number): Value {
  if (count === 0) return text;
  return withPattern(pattern, Number.POSITIVE_INFINITY, (compiled) => {
    announceSearch(compiled, text);
    let result = '';
    let last = 0;
    let done = 0;
    for (const found of matchesOf(compiled, text)) {
      if (count > 0 && done++ >= count) break;
      const filled = fillIn(replacement, found.groups);
      if (filled instanceof CelError) return filled;
      result += text.slice(last, found.start) + filled;
      last = found.end;
    }
    return result + text.slice(last);
  });
}

/** `\1` refers to a group, `\\` is a backslash. */
function fillIn(replacement: string, groups: Found['groups']): string | CelError {
  let result = '';
  for (let at = 0; at < replacement.length; at++) {
    if (replacement[at] !== '\\') {
      result += replacement[at];
      continue;
    }
    const next = replacement[++at];
    if (next === undefined)
      return failure(`invalid replacement string: '${replacement}' \\ not allowed at end`);
    if (next === '\\') result += '\\';
    else if (next < '0' || next > '9')
      return failure(`invalid replacement string: '${replacement}' \\ must be followed by a digit or \\`);
    else if (Number(next) >= groups.length) {
      return failure(
        `replacement string references group ${next} but regex has only ${groups.length - 1} group(s)`,
      );
    } else result += groups[Number(next)] ?? '';
  }
  return result;
}

const searchCost = ([text, pattern]: readonly Value[]): number =>
  (sizeOf(text!) + 1) * stringTraversalFactor * ((sizeOf(pattern!) + 1) * regexLengthFactor);

const price =
  (extra: number, round: (cost: number) => number): CallCost =>
  (args, result) =>
    round(1 + searchCost(args) + sizeOf(result) + extra);

const searching = (sizes: Parameters<CallEstimator>[0], [text, pattern]: Parameters<CallEstimator>[2]) =>
  multiplyRange(
    scaleRange(addRange(operandSize(sizes, text!), one), stringTraversalFactor),
    scaleRange(addRange(operandSize(sizes, pattern!), one), regexLengthFactor),
  );

const extractEstimate =
  (extra: number): CallEstimator =>
  (sizes, _target, args) => {
    const resultSize = { min: 0, max: operandSize(sizes, args[0]!).max };
    return { cost: addRange(addRange(searching(sizes, args), resultSize), fixed(extra)), resultSize };
  };

const replaceEstimate: CallEstimator = (sizes, _target, args) => {
  const unchanged = operandSize(sizes, args[0]!).max;
  const replaced = unchanged * operandSize(sizes, args[2]!).max;
  const resultSize = { min: Math.min(unchanged, replaced), max: Math.max(unchanged, replaced) };
  return { cost: addRange(searching(sizes, args), resultSize), resultSize };
};

const replacing = { cost: price(0, Math.floor), estimate: replaceEstimate };
const three = [stringType, stringType, stringType];

/** `regex.extract`, `regex.extractAll` and `regex.replace`. */
export const regexLibrary: Library = {
  name: 'regex',
  functions: [
    functionOf(
      'regex.extract',
      overload(
        'regex_extract_string_string',
        [stringType, stringType],
        optionalType(stringType),
        (text, pattern) => extract(text!, pattern!),
        {
          cost: price(0, Math.ceil),
          estimate: extractEstimate(0),
        },
      ),
    ),
    functionOf(
      'regex.extractAll',
      overload(
        'regex_extractAll_string_string',
        [stringType, stringType],
        listType(stringType),
        (text, pattern) => extractAll(text!, pattern!),
        {
          cost: price(listCreateCost, Math.ceil),
          estimate: extractEstimate(listCreateCost),
        },
      ),
    ),
    functionOf(
      'regex.replace',
      overload(
        'regex_replace_string_string_string',
        three,
        stringType,
        (text, pattern, by) => replace(text as string, pattern!, by as string, -1),
        replacing,
      ),
      overload(
        'regex_replace_string_string_string_int',
        [...three, intType],
        stringType,
        (text, pattern, by, count) => replace(text as string, pattern!, by as string, Number(count as Int)),
        replacing,
      ),
    ),
  ],
};
