// Patterns are RE2 and take linear time. The same pattern is compiled once, however many schemas have it.
import { RE2JS } from 're2js';

const MAX_CACHED = 4096;
const compiled = new Map<string, RE2JS | Error>();

/** The compiled pattern, or an error in Go's words. */
export function compilePattern(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  // Definitions are created and deleted: instead of tracking them, the cache is cleared when it is full.
  if (compiled.size >= MAX_CACHED) compiled.clear();
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): RE2JS | Error {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
