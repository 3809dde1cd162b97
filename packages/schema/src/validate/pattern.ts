// Patterns have RE2's meaning and take linear time. The same pattern is compiled once, however many schemas
// hold it.
import { RE2JS } from 're2js';

const MAX_KEPT = 4096;
const compiled = new Map<string, RE2JS | Error>();

/** The compiled pattern, or the error that says in Go's words why it is none. */
export function compilePattern(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  // Definitions come and go: rather than following them, everything is dropped now and then.
  if (compiled.size >= MAX_KEPT) compiled.clear();
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
