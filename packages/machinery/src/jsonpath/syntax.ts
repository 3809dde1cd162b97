// The syntax of JSONPath templates as client-go parses them: text outside braces, paths within. evaluate.ts
// evaluates them.

/** A template that does not parse; the message is upstream's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

interface SliceBound {
  readonly value: number;
  /** The end of `[n]`, which is n + 1 and counts as the length when n is -1. */
  readonly derived?: boolean;
}

export type PathNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | {
      readonly type: 'slice';
      readonly start?: SliceBound;
      readonly end?: SliceBound;
      readonly step?: SliceBound;
    }
  | { readonly type: 'union'; readonly paths: readonly (readonly PathNode[])[] }
  | {
      readonly type: 'filter';
      readonly left: readonly PathNode[];
      readonly operator: string;
      readonly right: readonly PathNode[];
    }
  | { readonly type: 'identifier'; readonly name: string };

/** Text, or the path of one pair of braces. */
export type TemplatePart = { readonly text: string } | { readonly path: readonly PathNode[] };

export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf('{', position);
    const end = open < 0 ? template.length : open;
    if (end > position) parts.push({ text: template.slice(position, end) });
    if (open < 0) break;
    const parser = new PathParser(template, open + 1);
    parts.push({ path: parser.parse() });
    position = parser.position;
  }
  return parts;
}

const parsePath = (text: string): readonly PathNode[] => new PathParser(`${text}}`, 0).parse();

const isSpace = (c: string) => c === ' ' || c === '\t';
const isEndOfLine = (c: string) => c === '\r' || c === '\n';
const isWordCharacter = (c: string) => /^[\p{L}\p{Nd}_]$/u.test(c);
const isDigit = (c: string) => /^\p{Nd}$/u.test(c);
const isTerminator = (c: string) => c === '' || isSpace(c) || isEndOfLine(c) || '.,[]$@{}'.includes(c);

class PathParser {
  private readonly text: string;
  position: number;
  private readonly nodes: PathNode[] = [];

  constructor(text: string, position: number) {
    this.text = text;
    this.position = position;
  }

  /** Up to and including the closing brace. */
  parse(): readonly PathNode[] {
    while (!this.text.startsWith('}', this.position)) this.next();
    this.position++;
    return this.nodes;
  }

  private next(): void {
    const character = this.peek();
    if (character === '' || isEndOfLine(character)) throw new JsonPathError('unclosed action');
    if (this.text.startsWith('[?(', this.position)) this.filter();
    else if (this.text.startsWith('..', this.position)) this.recursive();
    else if (character === ' ' || character === '@' || character === '$') this.position++;
    else if (character === '[') this.brackets();
    else if (character === '"' || character === "'") this.quoted(character);
    else if (character === '.') this.field(1);
    else if (character === '+' || character === '-' || isDigit(character)) this.number();
    else if (isWordCharacter(character)) this.identifier();
    else throw new JsonPathError(`unrecognized character in action: ${printRune(character)}`);
  }

  private peek(): string {
    const code = this.text.codePointAt(this.position);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  private recursive(): void {
    if (this.nodes.at(-1)?.type === 'recursive')
      throw new JsonPathError('invalid multiple recursive descent');
    this.position += 2;
    this.nodes.push({ type: 'recursive' });
    if (isWordCharacter(this.peek())) this.field(0);
  }

  /** A backslash escapes the next character: `.metadata.labels.app\.kubernetes\.io/name`. */
  private field(skip: number): void {
    const start = this.position + skip;
    let end = start;
    while (!isTerminator(this.text[end] ?? '')) end += this.text[end] === '\\' ? 2 : 1;
    this.position = Math.min(end, this.text.length);
    const name = this.text.slice(start, end);
    this.nodes.push(name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') });
  }

  private identifier(): void {
    const start = this.position;
    while (!isTerminator(this.text[this.position] ?? '')) this.position++;
    const name = this.text.slice(start, this.position);
    this.nodes.push(
      name === 'true' || name === 'false'
        ? { type: 'bool', value: name === 'true' }
        : { type: 'identifier', name },
    );
  }

  private number(): void {
    const start = this.position++;
    while (/[\d.]/.test(this.text[this.position] ?? '')) this.position++;
    const literal = this.text.slice(start, this.position);
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(literal)) throw new JsonPathError(`cannot parse number ${literal}`);
    this.nodes.push({ type: 'number', value: Number(literal) });
  }

  private quoted(quote: string): void {
    const start = this.position;
    do {
      this.position = this.text.indexOf(quote, this.position + 1);
      const newline = this.text.indexOf('\n', start);
      if (this.position < 0 || (newline >= 0 && newline < this.position))
        throw new JsonPathError('unterminated quoted string');
    } while (this.text[this.position - 1] === '\\');
    this.position++;
    this.nodes.push({ type: 'text', text: unquote(this.text.slice(start + 1, this.position - 1), quote) });
  }

  private brackets(): void {
    const close = this.text.indexOf(']', this.position);
    const text = close < 0 ? '\n' : this.text.slice(this.position + 1, close);
    if (text.includes('\n')) throw new JsonPathError('unterminated array');
    this.position = close + 1;
    const alternatives = text.split(',');
    if (alternatives.length === 1) this.nodes.push(...subscript(text));
    else
      this.nodes.push({
        type: 'union',
        paths: alternatives.map((each) => parsePath(`[${each.replace(/^ +| +$/g, '')}]`)),
      });
  }

  private filter(): void {
    const start = this.position + 3;
    const end = this.endOfFilter(start);
    if (this.text[end + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.position = end + 2;
    const text = this.text.slice(start, end);
    const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(text);
    if (comparison === null)
      this.nodes.push({ type: 'filter', left: parsePath(text), operator: 'exists', right: [] });
    else
      this.nodes.push({
        type: 'filter',
        left: parsePath(comparison[1]!),
        operator: comparison[2]!,
        right: parsePath(comparison[3]!),
      });
  }

  /**
   * The position of the parenthesis that closes the filter, outside the only pair of quotes that is allowed.
   */
  private endOfFilter(start: number): number {
    let quote = '';
    let closed = false;
    for (let i = start; i < this.text.length; i++) {
      const c = this.text[i]!;
      if (c === '\n') break;
      if (c === '"' || c === "'") {
        if (quote === '') quote = c;
        else if (c === quote && this.text[i - 1] !== '\\') closed = true;
      } else if (c === ')' && (quote !== '') === closed) return i;
    }
    throw new JsonPathError('unterminated filter');
  }
}

function subscript(text: string): readonly PathNode[] {
  const key = /^'([^']*)'$/.exec(text);
  if (key !== null) return parsePath(`.${key[1]}`);
  const bounds = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text === '*' ? ':' : text);
  if (bounds === null) throw new JsonPathError(`invalid array index ${text}`);
  const start = bound(bounds[1]!);
  const end =
    bounds[2] === undefined ? { value: (start?.value ?? 0) + 1, derived: true } : bound(bounds[2].slice(1));
  const step = bounds[3] === undefined ? undefined : bound(bounds[3].slice(1));
  return [{ type: 'slice', ...(start && { start }), ...(end && { end }), ...(step && { step }) }];
}

function bound(text: string): SliceBound | undefined {
  if (text === '') return undefined;
  if (text === '-') throw new JsonPathError('array index - is not a number');
  return { value: Number(text) };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

function unquote(text: string, quote: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.?))/gs,
    (sequence, x: string, u: string, plain: string) => {
      if (x ?? u) return String.fromCharCode(Number.parseInt(x ?? u, 16));
      const character = ESCAPES[plain];
      if (character === undefined)
        throw new JsonPathError(`unquote string ${quote}${text}${quote} error invalid syntax`);
      return character ?? sequence;
    },
  );
}

/** Go's %#U. */
function printRune(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')} '${character}'`;
}
