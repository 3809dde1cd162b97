// Parses literals, names, calls, lists, maps and messages. parser.ts parses operators.
import type { Expr, MapEntry, StructField } from '../ast.ts';
import type { Value } from '../values.ts';
import { NodeParser } from './node-parser.ts';
import { doubleLiteral, intLiteral, uintLiteral } from './number-literals.ts';
import type { Token, TokenKind } from './token.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

const startsExpression =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const startsMapEntry =
  "{'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const startsListElement =
  "{'[', ']', '{', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const expressionStarts: ReadonlySet<TokenKind> = new Set<TokenKind>([
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
]);
const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

const startsElement = (token: Token): boolean => token.kind === '?' || expressionStarts.has(token.kind);
const isFieldStart = (token: Token): boolean =>
  token.kind === 'IDENTIFIER' || token.kind === 'ESC_IDENTIFIER' || token.kind === '?';

export abstract class PrimaryParser extends NodeParser {
  protected abstract expr(): Expr;

  /** After the opening parenthesis. */
  protected callArguments(): Expr[] {
    const args: Expr[] = [];
    if (this.taken(')') !== undefined) return args;
    do args.push(this.expr());
    while (!this.recovering && this.taken(',') !== undefined);
    this.expect(')');
    return args;
  }

  protected primary(): Expr {
    const token = this.token;
    switch (token.kind) {
      case '.':
      case 'IDENTIFIER':
        return this.name();
      case '(':
        return this.nested();
      case '[':
        return this.list();
      case '{':
        return this.map();
      case '-':
      case 'NUM_INT':
      case 'NUM_FLOAT':
        return this.signedNumber();
      case 'NUM_UINT':
        return this.number(this.take(), uintLiteral(token.text), 'uint');
      case 'STRING':
        return this.quoted(this.take(), unescapeString(token.text));
      case 'BYTES':
        return this.quoted(this.take(), unescapeBytes(token.text.slice(1)));
      case 'true':
      case 'false':
        return this.literal(this.take().offset, token.kind === 'true');
      case 'null':
        return this.literal(this.take().offset, null);
      default:
        return this.noExpression(startsExpression);
    }
  }

  private noExpression(expecting: string): Expr {
    const skipped = this.unexpected(expecting, (next) => expressionStarts.has(next.kind));
    return skipped ? this.primary() : this.literal(this.token.offset, null);
  }

  private nested(): Expr {
    this.take();
    const inner = this.expr();
    this.expect(')');
    return inner;
  }

  private signedNumber(): Expr {
    const first = this.token;
    const negative = this.taken('-') !== undefined;
    const token = this.token;
    if (token.kind === 'NUM_INT') return this.number(first, intLiteral(this.take().text, negative), 'int');
    if (token.kind === 'NUM_FLOAT')
      return this.number(first, doubleLiteral(this.take().text, negative), 'double');
    this.syntaxError(token, `no viable alternative at input '-${token.kind === 'EOF' ? '' : token.text}'`);
    return this.literal(first.offset, null);
  }

  private number(at: Token, value: Value | undefined, type: string): Expr {
    return value === undefined
      ? this.problem(at.offset, `invalid ${type} literal`)
      : this.literal(at.offset, value);
  }

  private quoted(at: Token, value: Value | { readonly error: string }): Expr {
    if (typeof value === 'object' && value !== null && 'error' in value)
      return this.problem(at.offset, value.error);
    return this.literal(at.offset, value);
  }

  private name(): Expr {
    const message = this.messageName();
    if (message !== undefined) return this.struct(message);
    const start = this.token;
    const dot = this.taken('.') === undefined ? '' : '.';
    const token = this.token;
    if (token.kind !== 'IDENTIFIER') {
      this.syntaxError(
        token,
        dot === ''
          ? `mismatched input '${token.text}' expecting IDENTIFIER`
          : `no viable alternative at input '.${token.kind === 'EOF' ? '' : token.text}'`,
      );
      return this.literal(start.offset, null);
    }
    this.take();
    const isCall = this.token.kind === '(';
    if (reserved.has(token.text)) return this.reservedName(start, token, isCall);
    if (isCall)
      return this.callOrMacro(this.take().offset, dot + token.text, undefined, this.callArguments());
    return { id: ++this.lastId, offset: token.offset, kind: 'ident', name: dot + token.text };
  }

  private reservedName(start: Token, token: Token, isCall: boolean): Expr {
    const problem = this.problem(start.offset, `reserved identifier: ${token.text}`);
    if (isCall) {
      this.take();
      this.callArguments();
    }
    return problem;
  }

  /** The name before `{`, if that is what comes: `.? IDENT (. IDENT)* {`. */
  private messageName(): string | undefined {
    let ahead = this.token.kind === '.' ? 1 : 0;
    for (;;) {
      if (this.peek(ahead).kind !== 'IDENTIFIER') return undefined;
      const next = this.peek(++ahead).kind;
      if (next === '{') break;
      if (next !== '.') return undefined;
      ahead++;
    }
    let name = '';
    for (; ahead > 0; ahead--) name += this.take().text;
    return name;
  }

  private struct(typeName: string): Expr {
    const open = this.take();
    const fields: StructField[] = [];
    this.separated('}', "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}", isFieldStart, () => {
      const field = this.structField();
      if (field !== undefined) fields.push(field);
    });
    return { id: ++this.lastId, offset: open.offset, kind: 'struct', typeName, fields };
  }

  private structField(): StructField | undefined {
    const optional = this.optionalMark();
    const name = this.token;
    if (!isFieldStart(name) || name.kind === '?') {
      this.unexpected('{IDENTIFIER, ESC_IDENTIFIER}', () => false);
      return undefined;
    }
    this.take();
    const colon = this.expect(':');
    if (this.recovering) return undefined;
    const field = name.kind === 'IDENTIFIER' ? name.text : name.text.slice(1, -1);
    return { id: ++this.lastId, offset: colon.offset, name: field, value: this.expr(), optional };
  }

  private optionalMark(): boolean {
    const mark = this.taken('?');
    if (mark !== undefined && !this.options.optionalSyntax)
      this.issues.reportAt(mark.offset, "unsupported syntax '?'");
    return mark !== undefined;
  }

  private list(): Expr {
    const open = this.take();
    const elements: Expr[] = [];
    const optional = new Set<number>();
    this.separated(']', startsListElement, startsElement, () => {
      if (this.optionalMark()) optional.add(elements.length);
      elements.push(this.expr());
    });
    return { id: ++this.lastId, offset: open.offset, kind: 'list', elements, optional };
  }

  private map(): Expr {
    const open = this.take();
    const entries: MapEntry[] = [];
    this.separated('}', startsMapEntry, startsElement, () => {
      const optional = this.optionalMark();
      const key = this.expr();
      const colon = this.expect(':');
      if (!this.recovering)
        entries.push({ id: ++this.lastId, offset: colon.offset, key, value: this.expr(), optional });
    });
    return { id: ++this.lastId, offset: open.offset, kind: 'map', entries };
  }

  /** Comma-separated items up to the closing token; a trailing comma is allowed, alone too. */
  private separated(
    close: ']' | '}',
    expecting: string,
    starts: (token: Token) => boolean,
    item: () => void,
  ): void {
    if (this.taken(',') !== undefined) {
      this.expect(close);
      return;
    }
    if (this.taken(close) !== undefined) return;
    if (!starts(this.token) && !this.unexpected(expecting, (next) => starts(next) || next.kind === close))
      return;
    while (!this.recovering || starts(this.token)) {
      if (this.taken(close) !== undefined) return;
      item();
      if (this.recovering) break;
      if (this.taken(',') !== undefined) continue;
      if (this.taken(close) === undefined)
        this.unexpected(`{'${close}', ','}`, (next) => next.kind === close || next.kind === ',');
      return;
    }
    this.taken(close);
  }
}
