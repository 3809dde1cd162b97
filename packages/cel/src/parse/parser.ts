// Tokens to syntax tree, by recursive descent over the grammar of CEL. Messages follow those that users know from cel-go, whose
// parser is generated: one token too many is skipped, after any other error the rest is read only as far as it makes sense.
import type { Call, Expr, MapEntry, StructField } from '../ast.ts';
import type { Macro } from '../extension.ts';
import { binaryOperators, operators } from '../operators.ts';
import { codePoints } from '../values/size.ts';
import type { Value } from '../values.ts';
import { IssueList } from './issue.ts';
import { tokenize } from './lexer.ts';
import { Expansion, MacroFailure } from './macro-context.ts';
import { doubleLiteral, intLiteral, uintLiteral } from './number-literals.ts';
import { nowhere, type Source } from './source.ts';
import type { Token, TokenKind } from './token.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

export interface ParseOptions {
  readonly macros: ReadonlyMap<string, Macro>;
  readonly optionalSyntax: boolean;
  /** Whether fields may be written in backticks: a.`b-c`. */
  readonly quotedFields?: boolean;
  readonly maxDepth?: number;
  readonly maxCodePoints?: number;
}

export interface Parsed {
  readonly expr: Expr;
  readonly source: Source;
  readonly issues: IssueList;
  /** The calls that macros replaced, by the id of what they became. */
  readonly macroCalls: ReadonlyMap<number, Call>;
}

/** The key under which a macro is found: any number of arguments is '*'. */
export const macroKey = (name: string, args: number | undefined, receiver: boolean): string => `${name}:${args ?? '*'}:${receiver}`;

export function parseSource(source: Source, options: ParseOptions): Parsed {
  const issues = new IssueList(source);
  const size = codePoints(source.text);
  const limit = options.maxCodePoints ?? 100_000;
  if (size > limit) {
    issues.report(nowhere, `expression code point size exceeds limit: size: ${size}, limit ${limit}`);
    return { expr: { id: 0, offset: 0, kind: 'literal', value: null }, source, issues, macroCalls: new Map() };
  }
  return new Parser(source, tokenize(source.text, issues), issues, options).parse();
}

class TooDeep {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const startsExpression = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
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
const relations: ReadonlySet<TokenKind> = new Set<TokenKind>(['==', '!=', '<', '<=', '>', '>=', 'in']);
const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(' '),
);

type Rule = 'expr' | 'relation' | 'calc' | 'member';

class Parser {
  private readonly source: Source;
  private readonly tokens: readonly Token[];
  private readonly issues: IssueList;
  private readonly options: ParseOptions;
  private readonly macroCalls = new Map<number, Call>();
  private readonly depths: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  private readonly maxDepth: number;
  private position = 0;
  private lastId = 0;
  /** After an error nothing more is reported until a token fits again. */
  private recovering = false;

  constructor(source: Source, tokens: readonly Token[], issues: IssueList, options: ParseOptions) {
    this.source = source;
    this.tokens = tokens;
    this.issues = issues;
    this.options = options;
    this.maxDepth = options.maxDepth ?? 250;
  }

  parse(): Parsed {
    let expr: Expr = this.literal(0, null);
    try {
      expr = this.expr();
      if (this.token.kind !== 'EOF') this.unexpected('<EOF>', (next) => next.kind === 'EOF');
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.issues.report(nowhere, error.message);
    }
    return { expr, source: this.source, issues: this.issues, macroCalls: this.macroCalls };
  }

  // Tokens

  private get token(): Token {
    return this.tokens[this.position]!;
  }

  private peek(ahead: number): Token {
    return this.tokens[Math.min(this.position + ahead, this.tokens.length - 1)]!;
  }

  private take(): Token {
    const token = this.token;
    if (token.kind !== 'EOF') this.position++;
    this.recovering = false;
    return token;
  }

  private taken(kind: TokenKind): Token | undefined {
    return this.token.kind === kind ? this.take() : undefined;
  }

  private syntaxError(token: Token, message: string): void {
    if (!this.recovering) this.issues.reportAt(token.offset, `Syntax error: ${message}`);
    this.recovering = true;
  }

  /** One token too many is skipped, if what follows fits; then true. */
  private unexpected(expecting: string, fits: (next: Token) => boolean): boolean {
    const token = this.token;
    if (token.kind !== 'EOF' && fits(this.peek(1))) {
      this.syntaxError(token, `extraneous input '${token.text}' expecting ${expecting}`);
      this.position++;
      return true;
    }
    this.syntaxError(token, `mismatched input '${token.text}' expecting ${expecting}`);
    return false;
  }

  private expect(kind: TokenKind): Token {
    const token = this.token;
    if (token.kind === kind) return this.take();
    if (this.peek(1).kind === kind && token.kind !== 'EOF') {
      this.syntaxError(token, `extraneous input '${token.text}' expecting '${kind}'`);
      this.position++;
      return this.take();
    }
    if (kind === ':') this.syntaxError(token, `mismatched input '${token.text}' expecting ':'`);
    else this.syntaxError(token, `missing '${kind}' at '${token.text}'`);
    return token;
  }

  private within<T>(rule: Rule, parse: () => T): T {
    this.deeper(rule);
    const before = this.depths[rule];
    const result = parse();
    this.depths[rule] = before - 1;
    return result;
  }

  private deeper(rule: Rule): void {
    if (++this.depths[rule] > this.maxDepth) throw new TooDeep(`expression recursion limit exceeded: ${this.maxDepth}`);
  }

  // Nodes

  private literal(offset: number, value: Value): Expr {
    return { id: ++this.lastId, offset: offset, kind: 'literal', value };
  }

  private problem(offset: number, message: string): Expr {
    this.issues.reportAt(offset, message);
    return this.literal(offset, null);
  }

  private callOrMacro(offset: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const call: Call = { id: ++this.lastId, offset: offset, kind: 'call', name, target, args };
    const receiver = target !== undefined;
    const { macros } = this.options;
    const macro = macros.get(macroKey(name, args.length, receiver)) ?? macros.get(macroKey(name, undefined, receiver));
    return macro === undefined ? call : this.expand(macro, call);
  }

  private expand(macro: Macro, call: Call): Expr {
    try {
      const expanded = macro.expand(new Expansion(call.offset, () => ++this.lastId), call.target, call.args);
      if (expanded === undefined) return call;
      this.macroCalls.set(expanded.id, call);
      return expanded;
    } catch (error) {
      if (error instanceof MacroFailure) return this.problem(error.offset, error.message);
      throw error;
    }
  }

  // The grammar, from the loosest to the tightest binding

  private expr(): Expr {
    return this.within('expr', () => {
      const condition = this.logical('||', operators.or, () => this.logical('&&', operators.and, () => this.relation()));
      const question = this.taken('?');
      if (question === undefined) return condition;
      const yes = this.logical('||', operators.or, () => this.logical('&&', operators.and, () => this.relation()));
      this.expect(':');
      const no = this.expr();
      return this.callOrMacro(question.offset, operators.conditional, undefined, [condition, yes, no]);
    });
  }

  private logical(sign: '||' | '&&', name: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const offsets: number[] = [];
    for (let sign_ = this.taken(sign); sign_ !== undefined; sign_ = this.taken(sign)) {
      offsets.push(sign_.offset);
      terms.push(operand());
    }
    return terms.length === 1 ? terms[0]! : this.balanced(name, terms, offsets, 0, offsets.length - 1);
  }

  /** A long chain becomes a shallow tree; the operators are associative, so nothing else changes. */
  private balanced(name: string, terms: readonly Expr[], offsets: readonly number[], low: number, high: number): Expr {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle]! : this.balanced(name, terms, offsets, low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : this.balanced(name, terms, offsets, middle + 1, high);
    return this.callOrMacro(offsets[middle]!, name, undefined, [left, right]);
  }

  private relation(): Expr {
    return this.leftAssociative('relation', relations, () => this.calc());
  }

  private calc(): Expr {
    return this.leftAssociative('calc', additive, () => this.leftAssociative('calc', multiplicative, () => this.unary()));
  }

  private leftAssociative(rule: Rule, signs: ReadonlySet<TokenKind>, operand: () => Expr): Expr {
    return this.within(rule, () => {
      let left = operand();
      while (signs.has(this.token.kind)) {
        this.deeper(rule);
        const sign = this.take();
        left = this.callOrMacro(sign.offset, binaryOperators[sign.kind]!, undefined, [left, operand()]);
      }
      return left;
    });
  }

  private unary(): Expr {
    const first = this.token;
    if (first.kind === '!') return this.prefixed('!', operators.not, first.offset);
    if (first.kind === '-' && !isNumber(this.peek(1))) return this.prefixed('-', operators.negate, first.offset);
    return this.member();
  }

  private prefixed(sign: '!' | '-', name: string, offset: number): Expr {
    let count = 0;
    while (this.taken(sign) !== undefined) count++;
    const operand = this.member();
    return count % 2 === 0 ? operand : this.callOrMacro(offset, name, undefined, [operand]);
  }

  private member(): Expr {
    return this.within('member', () => {
      let operand = this.primary();
      for (;;) {
        const token = this.token;
        if (token.kind === '.') operand = this.selection(operand);
        else if (token.kind === '[') operand = this.indexing(operand);
        else return operand;
        if (this.recovering) return operand;
        this.deeper('member');
      }
    });
  }

  private selection(operand: Expr): Expr {
    const dot = this.take();
    const optional = this.taken('?');
    const name = this.token;
    if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER') return this.noField(operand, optional !== undefined);
    this.take();
    if (name.kind === 'ESC_IDENTIFIER' && this.options.quotedFields === false) this.issues.reportAt(name.offset, "unsupported syntax: '`'");
    if (name.kind === 'IDENTIFIER' && optional === undefined && this.token.kind === '(') return this.memberCall(operand, name.text);
    const field = name.kind === 'IDENTIFIER' ? name.text : name.text.slice(1, -1);
    if (optional === undefined) return { id: ++this.lastId, offset: dot.offset, kind: 'select', operand, field, test: false };
    if (!this.options.optionalSyntax) return this.problem(dot.offset, "unsupported syntax '.?'");
    const args = [operand, this.literal(name.offset, field)];
    return { id: ++this.lastId, offset: dot.offset, kind: 'call', name: operators.optSelect, target: undefined, args };
  }

  private noField(operand: Expr, optional: boolean): Expr {
    const token = this.token;
    const keyword = token.kind === 'true' || token.kind === 'false' || token.kind === 'null';
    const input = `.${optional ? '?' : ''}${token.kind === 'EOF' ? '' : token.text}`;
    if (keyword && !optional) this.syntaxError(token, `mismatched input '${token.text}' expecting IDENTIFIER`);
    else if (optional) this.syntaxError(token, `mismatched input '${token.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`);
    else this.syntaxError(token, `no viable alternative at input '${input}'`);
    return operand;
  }

  private memberCall(target: Expr, name: string): Expr {
    const open = this.take();
    return this.callOrMacro(open.offset, name, target, this.callArguments());
  }

  /** After the opening parenthesis. */
  private callArguments(): Expr[] {
    const args: Expr[] = [];
    if (this.taken(')') !== undefined) return args;
    do args.push(this.expr());
    while (!this.recovering && this.taken(',') !== undefined);
    this.expect(')');
    return args;
  }

  private indexing(operand: Expr): Expr {
    const open = this.take();
    const optional = this.taken('?');
    const index = this.expr();
    this.expect(']');
    if (optional === undefined) return this.callOrMacro(open.offset, operators.index, undefined, [operand, index]);
    if (!this.options.optionalSyntax) return this.problem(open.offset, "unsupported syntax '[?'");
    return this.callOrMacro(open.offset, operators.optIndex, undefined, [operand, index]);
  }

  private primary(): Expr {
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
    if (token.kind === 'NUM_FLOAT') return this.number(first, doubleLiteral(this.take().text, negative), 'double');
    this.syntaxError(token, `no viable alternative at input '-${token.kind === 'EOF' ? '' : token.text}'`);
    return this.literal(first.offset, null);
  }

  private number(at: Token, value: Value | undefined, type: string): Expr {
    return value === undefined ? this.problem(at.offset, `invalid ${type} literal`) : this.literal(at.offset, value);
  }

  private quoted(at: Token, value: Value | { readonly error: string }): Expr {
    if (typeof value === 'object' && value !== null && 'error' in value) return this.problem(at.offset, value.error);
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
    if (isCall) return this.callOrMacro(this.take().offset, dot + token.text, undefined, this.callArguments());
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
    let name = ahead === 1 ? '.' : '';
    for (;;) {
      if (this.peek(ahead).kind !== 'IDENTIFIER') return undefined;
      name += this.peek(ahead).text;
      const next = this.peek(ahead + 1).kind;
      if (next === '{') break;
      if (next !== '.') return undefined;
      name += '.';
      ahead += 2;
    }
    this.position += ahead + 1;
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
    if (mark !== undefined && !this.options.optionalSyntax) this.issues.reportAt(mark.offset, "unsupported syntax '?'");
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
      if (!this.recovering) entries.push({ id: ++this.lastId, offset: colon.offset, key, value: this.expr(), optional });
    });
    return { id: ++this.lastId, offset: open.offset, kind: 'map', entries };
  }

  /** Comma-separated items up to the closing token; a trailing comma is allowed, alone too. */
  private separated(close: ']' | '}', expecting: string, starts: (token: Token) => boolean, item: () => void): void {
    if (this.taken(',') !== undefined) {
      this.expect(close);
      return;
    }
    if (this.taken(close) !== undefined) return;
    if (!starts(this.token) && !this.unexpected(expecting, (next) => starts(next) || next.kind === close)) return;
    while (!this.recovering || starts(this.token)) {
      if (this.taken(close) !== undefined) return;
      item();
      if (this.recovering) break;
      if (this.taken(',') !== undefined) continue;
      if (this.taken(close) === undefined) this.unexpected(`{'${close}', ','}`, (next) => next.kind === close || next.kind === ',');
      return;
    }
    this.taken(close);
  }
}

const additive: ReadonlySet<TokenKind> = new Set<TokenKind>(['+', '-']);
const multiplicative: ReadonlySet<TokenKind> = new Set<TokenKind>(['*', '/', '%']);
const isNumber = (token: Token): boolean => token.kind === 'NUM_INT' || token.kind === 'NUM_FLOAT';
const startsElement = (token: Token): boolean => token.kind === '?' || expressionStarts.has(token.kind);
const isFieldStart = (token: Token): boolean => token.kind === 'IDENTIFIER' || token.kind === 'ESC_IDENTIFIER' || token.kind === '?';
