// A value as gnostic keeps it in its message Any: the text that go-yaml v3 prints for it, in block style,
// with four spaces a level, lines of any length, and a newline at the end. Keys are in the order in which
// Go's JSON encoder has them.
import { encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

const STEP = 4;

export function printAnyYaml(value: JsonValue): string {
  return `${isFilled(value) ? printCollection(value, 0) : printScalar(value, STEP)}\n`;
}

const isFilled = (value: JsonValue): value is JsonValue[] | JsonObject =>
  Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;

/** The first line is not indented, so that it can follow "- ". */
function printCollection(value: JsonValue[] | JsonObject, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value)) return value.map((item) => `- ${printItem(item, indent + 2)}`).join(margin);
  const keys = Object.keys(value).sort();
  return keys.map((key) => printMember(key, value[key]!, indent)).join(margin);
}

const printItem = (item: JsonValue, indent: number): string =>
  isFilled(item) ? printCollection(item, indent) : printScalar(item, indent);

function printMember(key: string, value: JsonValue, indent: number): string {
  const name = `${printText(key, undefined)}:`;
  const below = STEP * Math.floor((indent + STEP) / STEP);
  return isFilled(value)
    ? `${name}\n${' '.repeat(below)}${printCollection(value, below)}`
    : `${name} ${printScalar(value, below)}`;
}

/** `indent` is for lines below the first. */
function printScalar(value: JsonValue, indent: number): string {
  return typeof value === 'string' ? printText(value, indent) : encodeJson(value);
}

/** Without `indent` it is a key, which has one line. */
function printText(text: string, indent: number | undefined): string {
  const mustEscape = NOT_PRINTABLE.test(text);
  const isLong = text.includes('\n');
  if (isLong && !mustEscape && indent !== undefined && !/ (\n|$)/.test(text)) return printBlock(text, indent);
  if (mustEscape || isLong || readsAsOther(text))
    return JSON.stringify(text).replace(/\\u00([0-1].)/g, escapeAsGo);
  return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_PRINTABLE = /[\x00-\x09\x0b-\x1f\x7f-\x84\x86-\x9f\ufeff]/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '00': '\\0',
  '07': '\\a',
  '0b': '\\v',
  '1b': '\\e',
};
const escapeAsGo = (_: string, hex: string): string => SHORT_ESCAPES[hex] ?? `\\x${hex.toUpperCase()}`;

/** Words, numbers and times that a parser of YAML 1.2 would not treat as text. */
function readsAsOther(text: string): boolean {
  return (
    /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))?$/.test(
      text,
    ) ||
    /^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text) ||
    /^[-+]?0(x[0-9a-fA-F_]+|b[01_]+|o[0-7_]+)$/.test(text) ||
    /^\d{4}-\d\d?-\d\d?([Tt ]\d\d?:\d\d?:\d\d?(\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/.test(text)
  );
}

function isPlain(text: string): boolean {
  if (/^[\s#,[\]{}&*!|>'"%@`]|\s$|^[-?:](\s|$)|^(---|\.\.\.)/.test(text)) return false;
  return !/:(\s|$)|\s#/.test(text);
}

function printBlock(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? String(STEP) : '';
  const chomping = !text.endsWith('\n') ? '-' : text.endsWith('\n\n') || text === '\n' ? '+' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const margin = ' '.repeat(indent);
  return [`|${hint}${chomping}`, ...lines.map((line) => (line === '' ? '' : margin + line))].join('\n');
}
