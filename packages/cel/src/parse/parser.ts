// Tokens to syntax tree, by recursive descent over the grammar of CEL. Messages follow those that users know from cel-go, whose
// parser is generated: one token too many is skipped, after any other error the rest is read only as far as it makes sense.
import type { Call, Expr } from '../ast.ts';
import { binaryOperators, operators } from '../operators.ts';
import { codePoints } from '../values/size.ts';
import { IssueList } from './issue.ts';
import { tokenize } from './lexer.ts';
import type { ParseOptions } from './node-parser.ts';
import { PrimaryParser } from './primary-parser.ts';
import { nowhere, type Source } from './source.ts';
import type { Token, TokenKind } from './token.ts';
import { type Rule, TooDeep } from './token-stream.ts';

export interface Parsed {
  readonly expr: Expr;
  readonly source: Source;
  readonly issues: IssueList;
  /** The calls that macros replaced, by the id of what they became. */
  readonly macroCalls: ReadonlyMap<number, Call>;
}

export function parseSource(source: Source, options: ParseOptions): Parsed {
  const issues = new IssueList(source);
  const size = codePoints(source.text);
  const limit = options.maxCodePoints ?? 100_000;
  if (size > limit) {
    issues.report(nowhere, `expression code point size exceeds limit: size: ${size}, limit ${limit}`);
    return { expr: { id: 0, offset: 0, kind: 'literal', value: null }, source, issues, macroCalls: new Map() };
  }
  return new Parser(tokenize(source.text, issues), issues, options).parse(source);
}

const relations: ReadonlySet<TokenKind> = new Set<TokenKind>(['==', '!=', '<', '<=', '>', '>=', 'in']);
const additive: ReadonlySet<TokenKind> = new Set<TokenKind>(['+', '-']);
const multiplicative: ReadonlySet<TokenKind> = new Set<TokenKind>(['*', '/', '%']);
const isNumber = (token: Token): boolean => token.kind === 'NUM_INT' || token.kind === 'NUM_FLOAT';

class Parser extends PrimaryParser {
  parse(source: Source): Parsed {
    let expr: Expr = this.literal(0, null);
    try {
      expr = this.expr();
      if (this.token.kind !== 'EOF') this.unexpected('<EOF>', (next) => next.kind === 'EOF');
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.issues.report(nowhere, error.message);
    }
    return { expr, source, issues: this.issues, macroCalls: this.macroCalls };
  }

  // The grammar, from the loosest to the tightest binding

  protected expr(): Expr {
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

  private indexing(operand: Expr): Expr {
    const open = this.take();
    const optional = this.taken('?');
    const index = this.expr();
    this.expect(']');
    if (optional === undefined) return this.callOrMacro(open.offset, operators.index, undefined, [operand, index]);
    if (!this.options.optionalSyntax) return this.problem(open.offset, "unsupported syntax '[?'");
    return this.callOrMacro(open.offset, operators.optIndex, undefined, [operand, index]);
  }
}
