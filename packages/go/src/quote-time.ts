// Quotes text that could not be parsed as Go's package time does. Unlike %q, it escapes everything that is
// not printable ASCII, byte by byte.
import { encodeUtf8 } from './utf8.ts';

export function quoteTime(text: string): string {
  let quoted = '"';
  for (const character of text) quoted += escaped(character);
  return `${quoted}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character >= ' ' && character < '\x80') return character;
  return Array.from(encodeUtf8(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
