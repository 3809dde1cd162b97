// Tokens to syntax tree, by recursive descent over the grammar of CEL. Messages follow those of cel-go, whose
// parser is generated: one extra token is skipped; after any other error the rest is parsed only as far as
// possible.
import type { Call, Expr } from '../ast.ts';
import { binaryOperators, operators } from '../operators.ts';
import { codePoints } from '../values/size.ts';
import { IssueList } from './issue.ts';
import { tokenize } from './lexer.ts';
import type { ParseOptions } from './node-parser.ts';
import { PrimaryParser } from './primary-parser.ts';
import { nowhere, type Source } from './source.ts';
import type { Token, TokenKind } from './token.ts';
import { type Rule, rules, TooDeep } from './token-stream.ts';

/** A parsed expression, with its source and issues. */
export interface Parsed {
  readonly expr: Expr;
  readonly source: Source;
  readonly issues: IssueList;
  /** The calls that macros replaced, by the id of their expansion. */
  readonly macroCalls: ReadonlyMap<number, Call>;
}

export function parseSource(source: Source, options: ParseOptions): Parsed {
  const issues = new IssueList(source);
  const limit = options.maxCodePoints ?? 100_000;
  const size = source.text.length > limit ? codePoints(source.text) : 0;
  if (size > limit) {
    issues.report(nowhere, `expression code point size exceeds limit: size: ${size}, limit ${limit}`);
    return {
      expr: { id: 0, offset: 0, kind: 'literal', value: null },
      source,
      issues,
      macroCalls: new Map(),
    };
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
    const entered = this.enter(rules.expr);
    const condition = this.disjunction();
    const question = this.taken('?');
    const expr = question === undefined ? condition : this.branches(question, condition);
    this.leave(rules.expr, entered);
    return expr;
  }

  private branches(question: Token, condition: Expr): Expr {
    const yes = this.disjunction();
    this.expect(':');
    return this.callOrMacro(question.offset, operators.conditional, undefined, [condition, yes, this.expr()]);
  }

  private disjunction(): Expr {
    const first = this.conjunction();
    return this.token.kind === '||' ? this.chain('||', operators.or, first, () => this.conjunction()) : first;
  }

  private conjunction(): Expr {
    const first = this.relation();
    return this.token.kind === '&&' ? this.chain('&&', operators.and, first, () => this.relation()) : first;
  }

  private chain(sign: '||' | '&&', name: string, first: Expr, operand: () => Expr): Expr {
    const terms = [first];
    const offsets: number[] = [];
    for (let found = this.taken(sign); found !== undefined; found = this.taken(sign)) {
      offsets.push(found.offset);
      terms.push(operand());
    }
    return this.balanced(name, terms, offsets, 0, offsets.length - 1);
  }

  /** A long chain becomes a balanced tree; the operators are associative, so nothing else changes. */
  private balanced(
    name: string,
    terms: readonly Expr[],
    offsets: readonly number[],
    low: number,
    high: number,
  ): Expr {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle]! : this.balanced(name, terms, offsets, low, middle - 1);
    const right =
      middle === high ? terms[middle + 1]! : this.balanced(name, terms, offsets, middle + 1, high);
    return this.callOrMacro(offsets[middle]!, name, undefined, [left, right]);
  }

  private relation(): Expr {
    const entered = this.enter(rules.relation);
    let left = this.sum();
    while (relations.has(this.token.kind)) left = this.binary(rules.relation, left, this.take(), this.sum());
    this.leave(rules.relation, entered);
    return left;
  }

  private sum(): Expr {
    const entered = this.enter(rules.calc);
    let left = this.product();
    while (additive.has(this.token.kind)) left = this.binary(rules.calc, left, this.take(), this.product());
    this.leave(rules.calc, entered);
    return left;
  }

  private product(): Expr {
    const entered = this.enter(rules.calc);
    let left = this.unary();
    while (multiplicative.has(this.token.kind))
      left = this.binary(rules.calc, left, this.take(), this.unary());
    this.leave(rules.calc, entered);
    return left;
  }

  /** Each operator of a chain counts as one level deeper, as in the generated parser upstream. */
  private binary(rule: Rule, left: Expr, sign: Token, right: Expr): Expr {
    this.deeper(rule);
    return this.callOrMacro(sign.offset, binaryOperators[sign.kind]!, undefined, [left, right]);
  }

  private unary(): Expr {
    const first = this.token;
    if (first.kind === '!') return this.prefixed('!', operators.not, first.offset);
    if (first.kind === '-' && !isNumber(this.peek(1)))
      return this.prefixed('-', operators.negate, first.offset);
    return this.member();
  }

  private prefixed(sign: '!' | '-', name: string, offset: number): Expr {
    let count = 0;
    while (this.taken(sign) !== undefined) count++;
    const operand = this.member();
    return count % 2 === 0 ? operand : this.callOrMacro(offset, name, undefined, [operand]);
  }

  private member(): Expr {
    const entered = this.enter(rules.member);
    let operand = this.primary();
    while (this.token.kind === '.' || this.token.kind === '[') {
      operand = this.token.kind === '.' ? this.selection(operand) : this.indexing(operand);
      if (this.recovering) break;
      this.deeper(rules.member);
    }
    this.leave(rules.member, entered);
    return operand;
  }

  private selection(operand: Expr): Expr {
    const dot = this.take();
    const optional = this.taken('?');
    const name = this.token;
    if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER')
      return this.noField(operand, optional !== undefined);
    this.take();
    if (name.kind === 'ESC_IDENTIFIER' && this.options.quotedFields === false)
      this.issues.reportAt(name.offset, "unsupported syntax: '`'");
    if (name.kind === 'IDENTIFIER' && optional === undefined && this.token.kind === '(')
      return this.memberCall(operand, name.text);
    const field = name.kind === 'IDENTIFIER' ? name.text : name.text.slice(1, -1);
    if (optional === undefined)
      return { id: ++this.lastId, offset: dot.offset, kind: 'select', operand, field, test: false };
    if (!this.options.optionalSyntax) return this.problem(dot.offset, "unsupported syntax '.?'");
    const args = [operand, this.literal(name.offset, field)];
    return {
      id: ++this.lastId,
      offset: dot.offset,
      kind: 'call',
      name: operators.optSelect,
      target: undefined,
      args,
    };
  }

  private noField(operand: Expr, optional: boolean): Expr {
    const token = this.token;
    const keyword = token.kind === 'true' || token.kind === 'false' || token.kind === 'null';
    const input = `.${optional ? '?' : ''}${token.kind === 'EOF' ? '' : token.text}`;
    if (keyword && !optional)
      this.syntaxError(token, `mismatched input '${token.text}' expecting IDENTIFIER`);
    else if (optional)
      this.syntaxError(token, `mismatched input '${token.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`);
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
    if (optional === undefined)
      return this.callOrMacro(open.offset, operators.index, undefined, [operand, index]);
    if (!this.options.optionalSyntax) return this.problem(open.offset, "unsupported syntax '[?'");
    return this.callOrMacro(open.offset, operators.optIndex, undefined, [operand, index]);
  }
}
