// The library of regular expressions beyond matches(): find() and findAll().
import { functionOf, type Library, memberOverload } from '../../extension.ts';
import { work, workAhead } from '../../meter.ts';
import { compilePattern } from '../../stdlib/regex.ts';
import { intType, listType, stringType } from '../../values/types.ts';
import { CelError, listOf, type Value } from '../../values.ts';

function matcherOf(text: Value, pattern: Value) {
  const compiled = compilePattern(pattern as string);
  if (compiled instanceof CelError) return new CelError(`Illegal regex: ${compiled.message}`);
  workAhead((text as string).length * 4);
  return compiled.matcher(text as string);
}

function find(text: Value, pattern: Value): Value {
  const matcher = matcherOf(text, pattern);
  if (matcher instanceof CelError) return matcher;
  return matcher.find() ? matcher.group()! : '';
}

function findAll(text: Value, pattern: Value, limit: Value = -1): Value {
  const matcher = matcherOf(text, pattern);
  if (matcher instanceof CelError) return matcher;
  const found: string[] = [];
  const most = (limit as number | bigint) < 0 ? Number.POSITIVE_INFINITY : Number(limit);
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
      memberOverload(
        'string_find_all_string_int',
        [stringType, stringType, intType],
        listType(stringType),
        findAll,
      ),
    ),
  ],
};
