// The tokens of an expression during parsing: what is expected, what is reported, and how deeply the grammar
// is nested. After an error nothing is reported until a token matches again, so that one mistake has one
// message.
import type { IssueList } from './issue.ts';
import type { Token, TokenKind } from './token.ts';

/** Thrown if rules nest too deeply; then there is no recovery. */
export class TooDeep {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The rules of the grammar whose nesting is limited, each separately. */
export const rules = { expr: 0, relation: 1, calc: 2, member: 3 } as const;
export type Rule = (typeof rules)[keyof typeof rules];

export class TokenStream {
  protected readonly issues: IssueList;
  protected position = 0;
  protected recovering = false;
  private readonly tokens: readonly Token[];
  private readonly depths = [0, 0, 0, 0];
  private readonly maxDepth: number;

  constructor(tokens: readonly Token[], issues: IssueList, maxDepth: number) {
    this.tokens = tokens;
    this.issues = issues;
    this.maxDepth = maxDepth;
  }

  protected get token(): Token {
    return this.tokens[this.position]!;
  }

  protected peek(ahead: number): Token {
    return this.tokens[Math.min(this.position + ahead, this.tokens.length - 1)]!;
  }

  protected take(): Token {
    const token = this.token;
    if (token.kind !== 'EOF') this.position++;
    this.recovering = false;
    return token;
  }

  protected taken(kind: TokenKind): Token | undefined {
    return this.token.kind === kind ? this.take() : undefined;
  }

  protected syntaxError(token: Token, message: string): void {
    if (!this.recovering) this.issues.reportAt(token.offset, `Syntax error: ${message}`);
    this.recovering = true;
  }

  /** Skips one extra token if the next one matches; then returns true. */
  protected unexpected(expecting: string, fits: (next: Token) => boolean): boolean {
    const token = this.token;
    if (token.kind !== 'EOF' && fits(this.peek(1))) {
      this.syntaxError(token, `extraneous input '${token.text}' expecting ${expecting}`);
      this.position++;
      return true;
    }
    this.syntaxError(token, `mismatched input '${token.text}' expecting ${expecting}`);
    return false;
  }

  protected expect(kind: TokenKind): Token {
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

  /**
   * Enters a rule; its result must be passed to leave().
   */
  protected enter(rule: Rule): number {
    const before = this.depths[rule]!;
    this.deeper(rule);
    return before;
  }

  protected leave(rule: Rule, before: number): void {
    this.depths[rule] = before;
  }

  protected deeper(rule: Rule): void {
    const depth = this.depths[rule]! + 1;
    this.depths[rule] = depth;
    if (depth > this.maxDepth) throw new TooDeep(`expression recursion limit exceeded: ${this.maxDepth}`);
  }
}
