// Creates nodes, each with its id and position, and expands macro calls.
import type { Call, Expr } from '../ast.ts';
import type { Macro } from '../extension.ts';
import type { Value } from '../values.ts';
import type { IssueList } from './issue.ts';
import { Expansion, MacroFailure } from './macro-context.ts';
import type { Token } from './token.ts';
import { TokenStream, TooDeep } from './token-stream.ts';

const mostNodes = 50_000;

export interface ParseOptions {
  readonly macros: ReadonlyMap<string, Macro>;
  /** The names of the macros, for any number of arguments. */
  readonly macroNames: ReadonlySet<string>;
  readonly optionalSyntax: boolean;
  /** Whether fields may be written in backticks: a.`b-c`. */
  readonly quotedFields?: boolean;
  readonly maxDepth?: number;
  readonly maxCodePoints?: number;
}

/** The key under which a macro is found: any number of arguments is '*'. */
export const macroKey = (name: string, args: number | undefined, receiver: boolean): string =>
  `${name}:${args ?? '*'}:${receiver}`;

export class NodeParser extends TokenStream {
  readonly macroCalls = new Map<number, Call>();
  protected readonly options: ParseOptions;
  protected lastId = 0;

  constructor(tokens: readonly Token[], issues: IssueList, options: ParseOptions) {
    super(tokens, issues, options.maxDepth ?? 250);
    this.options = options;
  }

  protected literal(offset: number, value: Value): Expr {
    return { id: ++this.lastId, offset: offset, kind: 'literal', value };
  }

  protected problem(offset: number, message: string): Expr {
    this.issues.reportAt(offset, message);
    return this.literal(offset, null);
  }

  protected callOrMacro(offset: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const call: Call = { id: ++this.lastId, offset: offset, kind: 'call', name, target, args };
    if (!this.options.macroNames.has(name)) return call;
    const receiver = target !== undefined;
    const { macros } = this.options;
    const macro =
      macros.get(macroKey(name, args.length, receiver)) ?? macros.get(macroKey(name, undefined, receiver));
    return macro === undefined ? call : this.expand(macro, call);
  }

  /**
   * Macros may copy their arguments, and copies of copies multiply; a small source must not become a large
   * tree.
   */
  private nextId(): number {
    if (++this.lastId > mostNodes)
      throw new TooDeep(`expression has more than ${mostNodes} nodes after macro expansion`);
    return this.lastId;
  }

  protected expand(macro: Macro, call: Call): Expr {
    try {
      const expanded = macro.expand(new Expansion(call.offset, () => this.nextId()), call.target, call.args);
      if (expanded === undefined) return call;
      this.macroCalls.set(expanded.id, call);
      return expanded;
    } catch (error) {
      if (error instanceof MacroFailure) return this.problem(error.offset, error.message);
      throw error;
    }
  }
}
