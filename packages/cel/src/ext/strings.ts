// charAt, indexOf, lastIndexOf, lowerAscii, upperAscii, replace, split, join, substring, trim, reverse,
// strings.quote, format. Positions count code points.
import {
  type FunctionDeclaration,
  functionOf,
  type Implementation,
  type Library,
  memberOverload,
  overload,
} from '../extension.ts';
import { work, workAhead } from '../meter.ts';
import { failure } from '../values/error.ts';
import { ArrayList, type CelList } from '../values/list.ts';
import { codePoints } from '../values/size.ts';
import { dynType, intType, listType, stringType } from '../values/types.ts';
import type { Int, Value } from '../values.ts';
import { formatWith } from './format.ts';
import { clauses } from './format-clauses.ts';
import { legacyClauses } from './format-legacy.ts';
import { lastPositionOf, positionOf, substringOf } from './text-positions.ts';

const listOfString = listType(stringType);

function asciiCase(letters: RegExp, change: (run: string) => string): Implementation {
  return (text) => {
    workAhead((text as string).length);
    return (text as string).replace(letters, change);
  };
}

const lowerAscii = asciiCase(/[A-Z]+/g, (run) => run.toLowerCase());
const upperAscii = asciiCase(/[a-z]+/g, (run) => run.toUpperCase());

/** Go's strings.Replace: `count` below zero replaces all; an empty `old` matches between all characters. */
function replace(text: string, old: string, by: string, count: number): Value {
  workAhead((text.length >> 2) + text.length * Math.min(by.length, 64) * 0.05);
  if (count === 0) return text;
  if (old === '') return interleave(text, by, count);
  let result = '';
  let from = 0;
  for (let done = 0; count < 0 || done < count; done++) {
    const at = text.indexOf(old, from);
    if (at < 0) break;
    work(8 + (by.length >> 6));
    result += text.slice(from, at) + by;
    from = at + old.length;
  }
  return result + text.slice(from);
}

function interleave(text: string, by: string, count: number): string {
  let result = '';
  let done = 0;
  for (const character of text) {
    work(8 + (by.length >> 6));
    if (count < 0 || done++ < count) result += by;
    result += character;
  }
  return count < 0 || done < count ? result + by : result;
}

/** Go's strings.SplitN: a limit of 0 gives nothing, below zero all. */
function split(text: string, separator: string, limit: number): Value {
  workAhead(text.length * 2);
  if (limit === 0) return new ArrayList([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return new ArrayList(parts);
  const rest = parts.slice(limit - 1).join(separator);
  return new ArrayList([...parts.slice(0, limit - 1), rest]);
}

function join(list: CelList, separator: string): Value {
  const parts: string[] = [];
  for (const element of list) {
    if (typeof element !== 'string') return failure('join: invalid input');
    work((element.length + separator.length) >> 4);
    parts.push(element);
  }
  return parts.join(separator);
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const escaped = /[\x07\b\f\n\r\t\v\\"]|\p{Surrogate}/gu;

/** A lone surrogate is not a character; it becomes the replacement character. */
function quote(text: string): string {
  workAhead(text.length);
  return `"${text.replace(escaped, (unit) => escapes[unit] ?? '\ufffd')}"`;
}

const spaces = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${spaces}+`);
const space = new RegExp(spaces);

/**
 * Unicode white space as in Go. The end is searched backward, as a pattern would scan every run of spaces.
 */
function trim(text: string): string {
  const start = leading.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && space.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function charAt(text: string, index: Int): Value {
  const size = codePoints(text);
  if (index < 0 || index > size) return failure(`index out of range: ${index}`);
  return index === size ? '' : substringOf(text, Number(index), Number(index) + 1);
}

const text1 = [stringType];
const text2 = [stringType, stringType];

const basics: readonly FunctionDeclaration[] = [
  functionOf(
    'charAt',
    memberOverload('string_char_at_int', [stringType, intType], stringType, (text, at) =>
      charAt(text as string, at as Int),
    ),
  ),
  functionOf(
    'indexOf',
    memberOverload('string_index_of_string', text2, intType, (text, part) =>
      positionOf(text as string, part as string, 0),
    ),
    memberOverload('string_index_of_string_int', [...text2, intType], intType, (text, part, from) =>
      positionOf(text as string, part as string, Number(from as Int)),
    ),
  ),
  functionOf(
    'lastIndexOf',
    memberOverload('string_last_index_of_string', text2, intType, (text, part) =>
      part === '' ? codePoints(text as string) : lastPositionOf(text as string, part as string, undefined),
    ),
    memberOverload('string_last_index_of_string_int', [...text2, intType], intType, (text, part, from) =>
      lastPositionOf(text as string, part as string, Number(from as Int)),
    ),
  ),
  functionOf('lowerAscii', memberOverload('string_lower_ascii', text1, stringType, lowerAscii)),
  functionOf('upperAscii', memberOverload('string_upper_ascii', text1, stringType, upperAscii)),
  functionOf(
    'replace',
    memberOverload('string_replace_string_string', [...text2, stringType], stringType, (text, old, by) =>
      replace(text as string, old as string, by as string, -1),
    ),
    memberOverload(
      'string_replace_string_string_int',
      [...text2, stringType, intType],
      stringType,
      (text, old, by, count) => replace(text as string, old as string, by as string, Number(count as Int)),
    ),
  ),
  functionOf(
    'split',
    memberOverload('string_split_string', text2, listOfString, (text, by) =>
      split(text as string, by as string, -1),
    ),
    memberOverload('string_split_string_int', [...text2, intType], listOfString, (text, by, limit) =>
      split(text as string, by as string, Number(limit as Int)),
    ),
  ),
  functionOf(
    'substring',
    memberOverload('string_substring_int', [stringType, intType], stringType, (text, from) =>
      substringOf(text as string, Number(from as Int), undefined),
    ),
    memberOverload('string_substring_int_int', [stringType, intType, intType], stringType, (text, from, to) =>
      substringOf(text as string, Number(from as Int), Number(to as Int)),
    ),
  ),
  functionOf(
    'trim',
    memberOverload('string_trim', text1, stringType, (text) => trim(text as string)),
  ),
  functionOf(
    'join',
    memberOverload('list_join', [listOfString], stringType, (list) => join(list as CelList, '')),
    memberOverload('list_join_string', [listOfString, stringType], stringType, (list, by) =>
      join(list as CelList, by as string),
    ),
  ),
];

const formatting = (version: number): readonly FunctionDeclaration[] => [
  functionOf(
    'format',
    memberOverload('string_format', [stringType, listType(dynType)], stringType, (text, args) =>
      formatWith(
        text as string,
        args as CelList,
        version >= 4 ? clauses : legacyClauses,
        version >= 5 ? 100 : 10_000,
      ),
    ),
  ),
  functionOf(
    'strings.quote',
    overload('strings_quote', text1, stringType, (text) => quote(text as string)),
  ),
];

function reversed(text: string): string {
  workAhead(text.length * 4);
  return [...text].reverse().join('');
}

const reverse = functionOf(
  'reverse',
  memberOverload('string_reverse', text1, stringType, (text) => reversed(text as string)),
);

/** Version 1 adds format and quote; 3 reverse; 4 formats without regard to locale. */
export function stringsLibrary(version = 4): Library {
  return {
    name: 'strings',
    functions: [...basics, ...(version >= 1 ? formatting(version) : []), ...(version >= 3 ? [reverse] : [])],
  };
}
