// Prints a string as go-yaml does: plain if possible, in single quotes if it has special characters, in
// double quotes if it would be read as another type or has unprintable characters, as a block if it has
// several lines. Long lines are folded at spaces.
import { isPrintable } from '@instar/go';
import { resolvePlainScalar } from './scalar.ts';

const WIDTH = 80;

export interface ScalarPosition {
  /** The column at which continuation lines start. */
  readonly indent: number;
  /** The column at which the scalar starts. */
  readonly column: number;
  /** Keys must not have line breaks. */
  readonly isKey: boolean;
}

export function printYamlString(text: string, position: ScalarPosition): string {
  const manyLines = text.includes('\n');
  if (manyLines && !position.isKey && blockAllowed(text)) return printBlock(text, position.indent);
  if (!manyLines && readsAsString(text) && plainAllowed(text)) return fold(text, position, 0);
  if (!needsEscapes(text) && !manyLines && (readsAsString(text) || !isAmbiguous(text)))
    return fold(`'${text.replaceAll("'", "''")}'`, position, 1);
  return printDoubleQuoted(text, position);
}

const isAmbiguous = (text: string) => !readsAsString(text);

function readsAsString(text: string): boolean {
  // Older parsers read times of day as numbers in base 60, and most read dates as dates.
  return (
    typeof resolvePlainScalar(text) === 'string' &&
    text !== '<<' &&
    !/^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text) &&
    !isDate(text)
  );
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)?$/.test(
    text,
  );
}

function plainAllowed(text: string): boolean {
  if (needsEscapes(text) || /^\s|\s$/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](\s|$)/.test(text) || /^(---|\.\.\.)/.test(text))
    return false;
  return !/:(\s|$)|\s#/.test(text);
}

function needsEscapes(text: string): boolean {
  for (const character of text) if (character !== '\n' && !isPrintable(character)) return true;
  return text.includes('\ufeff');
}

/** A block cannot represent trailing spaces, nor characters that must be escaped. */
function blockAllowed(text: string): boolean {
  return !needsEscapes(text) && !/ (\n|$)/.test(text);
}

function printBlock(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomping = !text.endsWith('\n') ? '-' : text.endsWith('\n\n') || text === '\n' ? '+' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`));
  return `|${hint}${chomping}\n${lines.join('\n')}`;
}

/** Breaks lines at single spaces beyond the width, but not after the first `quotes` characters. */
function fold(text: string, { indent, column, isKey }: ScalarPosition, quotes: number): string {
  if (isKey || column + text.length <= WIDTH) return text;
  let out = '';
  let at = column;
  for (let i = 0; i < text.length; i++) {
    const breakable =
      text[i] === ' ' &&
      text[i - 1] !== ' ' &&
      text[i + 1] !== ' ' &&
      i > quotes &&
      i < text.length - 1 - quotes;
    if (breakable && at > WIDTH) {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      out += text[i];
      at++;
    }
  }
  return out;
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\0': '0',
    '\x07': 'a',
    '\b': 'b',
    '\t': 't',
    '\n': 'n',
    '\v': 'v',
    '\f': 'f',
    '\r': 'r',
    '\x1b': 'e',
    '"': '"',
    '\\': '\\',
  }).concat([
    ['\u0085', 'N'],
    ['\u00a0', '_'],
    ['\u2028', 'L'],
    ['\u2029', 'P'],
  ]),
);

function printDoubleQuoted(text: string, { indent, column, isKey }: ScalarPosition): string {
  const characters = [...text];
  let out = '"';
  let at = column + 1;
  characters.forEach((character, i) => {
    const breakable = character === ' ' && characters[i - 1] !== ' ' && i > 0 && i < characters.length - 1;
    if (breakable && !isKey && at > WIDTH) {
      const escaped = characters[i + 1] === ' ' ? '\\' : '';
      out += `\n${' '.repeat(indent)}${escaped}`;
      at = indent;
      return;
    }
    const printed = escapeCharacter(character);
    out += printed;
    at += printed.length;
  });
  return `${out}"`;
}

function escapeCharacter(character: string): string {
  const short = ESCAPES.get(character);
  if (short !== undefined) return `\\${short}`;
  if (isPrintable(character) && character !== '\ufeff') return character;
  const code = character.codePointAt(0)!;
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff
    ? `\\x${hex.padStart(2, '0')}`
    : code <= 0xffff
      ? `\\u${hex.padStart(4, '0')}`
      : `\\U${hex.padStart(8, '0')}`;
}
