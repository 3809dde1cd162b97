// The library of regular expressions beyond matches(): find() and findAll(), with RE2 semantics.
import { RE2JS } from 're2js';
import { functionOf, type Library, memberOverload } from '../../extension.ts';
import { work } from '../../meter.ts';
import { intType, listType, stringType } from '../../types.ts';
import { CelError, listOf, type Value } from '../../values.ts';

// Patterns are nearly always literals, so that a few are asked for over and over.
const compiled = new Map<string, RE2JS | CelError>();
const mostCompiled = 256;

function patternOf(pattern: string): RE2JS | CelError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = compile(pattern);
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(pattern, fresh);
  return fresh;
}

function compile(pattern: string): RE2JS | CelError {
  const error = regexError(pattern);
  return error === undefined ? RE2JS.compile(pattern) : new CelError(`Illegal regex: ${error}`);
}

/** What is wrong with a pattern, in the words of Go. */
export function regexError(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function find(text: Value, pattern: Value): Value {
  const regex = patternOf(pattern as string);
  if (regex instanceof CelError) return regex;
  const matcher = regex.matcher(text as string);
  return matcher.find() ? matcher.group()! : '';
}

function findAll(text: Value, pattern: Value, limit: Value = -1): Value {
  const regex = patternOf(pattern as string);
  if (regex instanceof CelError) return regex;
  const found: string[] = [];
  const most = (limit as number | bigint) < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  const matcher = regex.matcher(text as string);
  let lastEnd = -1;
  while (found.length < most && matcher.find()) {
    work(1 + matcher.end() - matcher.start());
    // An empty match right after another one does not count.
    if (matcher.end() > matcher.start() || matcher.start() !== lastEnd) found.push(matcher.group()!);
    lastEnd = matcher.end();
  }
  return listOf(found);
}

export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: [
    functionOf('find', memberOverload('string_find_string', [stringType, stringType], stringType, find)),
    functionOf(
      'findAll',
      memberOverload('string_find_all_string', [stringType, stringType], listType(stringType), findAll),
      memberOverload('string_find_all_string_int', [stringType, stringType, intType], listType(stringType), findAll),
    ),
  ],
};
