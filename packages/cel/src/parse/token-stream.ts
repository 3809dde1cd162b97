// The tokens of an expression as a parser walks along them: what is expected, what is reported, how deep the
// grammar has gone. After an error nothing more is reported until a token fits again, so that one mistake
// gives one message.
import type { IssueList } from './issue.ts';
import type { Token, TokenKind } from './token.ts';

/** Thrown when rules nest too deeply; nothing is left to recover then. */
export class TooDeep {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The rules of the grammar whose nesting is limited, each on its own. */
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

  /** One token too many is skipped, if what follows fits; then true. */
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
   * Enters a rule; what it returns is to be handed to leave(), however much deeper the rule went meanwhile.
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
