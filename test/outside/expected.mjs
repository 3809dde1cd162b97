// What is known not to be green, and the comparison with it.
import { existsSync, readFileSync } from 'node:fs';

/** The specs that are not expected to pass, with the reasons; empty without the file. */
export function readExpected(file) {
  if (!existsSync(file)) return new Map();
  const expected = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))));
  for (const [name, reason] of expected) {
    if (typeof reason !== 'string' || reason.trim() === '') throw new Error(`${file}: ${name} has no reason`);
  }
  return expected;
}

/**
 * A line for each spec that ended otherwise than expected; an entry that is out of date is one too, unless
 * only a part of the suite ran.
 */
export function unexpectedIn(specs, expected, isPart = false) {
  if (specs.length === 0) return ['no spec ran'];
  const lines = [];
  for (const { name, status, message } of specs) {
    const isListed = expected.has(name);
    if (status === 'passed' && isListed) lines.push(`passed, but is listed as expected not to: ${name}`);
    if (status !== 'passed' && !isListed) lines.push(`${status}: ${name}${message ? `: ${message}` : ''}`);
  }
  if (isPart) return lines;
  const names = new Set(specs.map(({ name }) => name));
  for (const name of expected.keys()) if (!names.has(name)) lines.push(`is listed, but did not run: ${name}`);
  return lines;
}
