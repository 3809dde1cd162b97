// JSON out. JSON.stringify is the fast path; only an object that holds an integer beyond ±2^53 (a bigint here) takes the slow one.
import type { JsonValue } from '../json-value.ts';

export function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return encodeSlowly(value as JsonValue) ?? 'null';
    throw error;
  }
}

function encodeSlowly(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => encodeSlowly(item) ?? 'null').join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = encodeSlowly(member);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
