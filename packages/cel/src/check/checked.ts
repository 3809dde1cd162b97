// The result of checking: the type of every node, and what names and calls refer to. Filled in by the
// checker, then only read.
import type { Call, Expr } from '../ast.ts';
import type { Environment, Identifier } from '../environment.ts';
import type { IssueList } from '../parse/issue.ts';
import type { Parsed } from '../parse/parser.ts';
import { type CelType, dynType } from '../values/types.ts';
import type { CallReference, CheckedExpression } from './expression-validator.ts';

/** An expression with its types, and what its names refer to. */
export class Checked implements CheckedExpression {
  readonly parsed: Parsed;
  readonly environment: Environment;
  readonly issues: IssueList;
  readonly types: (CelType | undefined)[] = [];
  /**
   * What identifiers (and selects that are qualified identifiers) refer to; a local variable has no entry.
   */
  readonly identifiers = new Map<number, Identifier>();
  readonly calls = new Map<number, CallReference>();
  /** The type of each struct literal. */
  readonly structs = new Map<number, CelType>();

  constructor(parsed: Parsed, environment: Environment) {
    this.parsed = parsed;
    this.environment = environment;
    this.issues = parsed.issues;
  }

  get expr(): Expr {
    return this.parsed.expr;
  }

  typeOf(expr: Expr): CelType {
    return this.types[expr.id] ?? dynType;
  }

  callOf(call: Call): CallReference {
    return this.calls.get(call.id) ?? { name: call.name, overloads: [], target: call.target };
  }
}
