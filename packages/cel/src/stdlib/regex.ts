// Regular expressions with RE2 semantics: linear in the text for every pattern. Compiled patterns are cached.
import { RE2JS } from 're2js';
import { workAhead } from '../meter.ts';
import { CelError } from '../values/error.ts';

export type Pattern = RE2JS;

const mostKept = 256;
const kept = new Map<string, Pattern | CelError>();

/** The compiled pattern, or an error if it does not compile. */
export function compilePattern(text: string): Pattern | CelError {
  const known = kept.get(text);
  if (known !== undefined) return known;
  workAhead(text.length * 200);
  const compiled = compileAnew(text);
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
  kept.set(text, compiled);
  return compiled;
}

function compileAnew(text: string): Pattern | CelError {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    return new CelError(`error parsing regexp: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '');
}

/**
 * Announces a search. It is linear in the text, but a pattern with many states may follow all of them at
 * every step.
 */
export function announceSearch(pattern: Pattern, text: string): void {
  if (text.length > 256) workAhead(text.length * (4 + Math.max(0, pattern.programSize() - 100)));
}

/** Whether the pattern matches anywhere in the text. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  announceSearch(pattern, text);
  return pattern.test(text);
}
