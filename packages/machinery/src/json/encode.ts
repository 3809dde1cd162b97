// Encodes JSON. JSON.stringify is the fast path; only a value with an integer beyond ±2^53 (a bigint here)
// takes the slow one.
import type { JsonValue } from '../json-value.ts';

/** With `indent`, one member per line, indented by that many spaces per level. */
export function encodeJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    if (error instanceof TypeError) return encodeSlowly(value as JsonValue, indent, '') ?? 'null';
    throw error;
  }
}

function encodeSlowly(value: JsonValue | undefined, indent: number, margin: string): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  const inner = margin + ' '.repeat(indent);
  if (Array.isArray(value))
    return enclose(
      '[]',
      value.map((item) => encodeSlowly(item, indent, inner) ?? 'null'),
      indent,
      margin,
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = encodeSlowly(member, indent, inner);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${text}`);
  }
  return enclose('{}', members, indent, margin);
}

function enclose(brackets: string, parts: readonly string[], indent: number, margin: string): string {
  if (parts.length === 0 || indent === 0) return `${brackets[0]}${parts.join(',')}${brackets[1]}`;
  const line = `\n${margin}`;
  const inner = line + ' '.repeat(indent);
  return `${brackets[0]}${inner}${parts.join(`,${inner}`)}${line}${brackets[1]}`;
}
