// The entry point: compiles source text in an environment to a program that can be run repeatedly.

import type { Checked } from './check/checked.ts';
import { check, resolveOnly } from './check/checker.ts';
import { Compiler, ConstantFailure } from './compile/compiler.ts';
import { type Activation, Frame } from './compile/frame.ts';
import { estimateCost } from './cost/estimator.ts';
import type { CostEstimate } from './cost/range.ts';
import type { Environment } from './environment.ts';
import { costExceeded, Interrupted, withDeadline } from './meter.ts';
import type { Issue } from './parse/issue.ts';
import { type Parsed, parseSource } from './parse/parser.ts';
import { nowhere, Source } from './parse/source.ts';
import type { CelType } from './values/types.ts';
import { CelError, type Value } from './values.ts';

/** Limits of one evaluation. */
export interface Budget {
  /** The maximum cost of the evaluation. */
  readonly maxCost?: number;
  /** The deadline, as Date.now(). */
  readonly deadline?: number;
}

/** The value and the cost of an evaluation. */
export interface EvaluationResult {
  /** The result; a CelError if evaluation failed, an Interrupted if it was aborted. */
  readonly value: Value;
  readonly cost: number;
}

/** Immutable; may be shared and run any number of times. */
export interface Program {
  readonly source: string;
  readonly type: CelType;
  /** The estimate, computed when it is first read. */
  readonly cost: CostEstimate;
  readonly checked: Checked;
  evaluate(activation: Activation, budget?: Budget): EvaluationResult;
}

/** An expression that does not parse or check, with its issues. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
  readonly issues: readonly Issue[];
  readonly stage: 'parse' | 'check' | 'program';

  constructor(stage: CompileError['stage'], issues: readonly Issue[], text: string) {
    super(text);
    this.stage = stage;
    this.issues = issues;
  }
}

/** Parses an expression; its errors are in `issues`. */
export function parse(text: string, environment: Environment): Parsed {
  return parseSource(new Source(text), environment.parsing);
}

/** Parses and checks; `issues` lists the errors. */
export function parseAndCheck(text: string, environment: Environment): Checked {
  return check(parse(text, environment), environment);
}

/** The program of an expression whose types are not checked: type errors occur when it is evaluated. */
export function compileUnchecked(text: string, environment: Environment): Program {
  const parsed = parse(text, environment);
  if (parsed.issues.size > 0) throw new CompileError('parse', parsed.issues.list(), parsed.issues.format());
  return programOf(resolveOnly(parsed, environment));
}

/** Throws a CompileError whose message is the text that cel-go would print. */
export function compile(text: string, environment: Environment): Program {
  const parsed = parse(text, environment);
  if (parsed.issues.size > 0) throw new CompileError('parse', parsed.issues.list(), parsed.issues.format());
  const checked = check(parsed, environment);
  if (checked.issues.size > 0)
    throw new CompileError('check', checked.issues.list(), checked.issues.format());
  return programOf(checked);
}

/** The program of an expression that has been checked without issues. */
function programOf(checked: Checked): Program {
  try {
    return new CompiledProgram(checked);
  } catch (error) {
    if (!(error instanceof ConstantFailure)) throw error;
    throw new CompileError('program', [{ location: nowhere, message: error.message }], error.message);
  }
}

class CompiledProgram implements Program {
  readonly source: string;
  readonly type: CelType;
  readonly checked: Checked;
  private readonly run: (frame: Frame) => Value;
  private readonly fixedCost: number;
  private readonly locals: number;
  private estimate: CostEstimate | undefined;

  constructor(checked: Checked) {
    const compiler = new Compiler(checked);
    const root = compiler.compile(checked.expr);
    this.checked = checked;
    this.source = checked.parsed.source.text;
    this.type = checked.typeOf(checked.expr);
    this.run = root.run;
    this.fixedCost = root.cost;
    this.locals = compiler.locals;
  }

  get cost(): CostEstimate {
    this.estimate ??= estimateCost(this.checked);
    return this.estimate;
  }

  evaluate(activation: Activation, budget?: Budget): EvaluationResult {
    const frame = new Frame(activation, this.locals, budget?.maxCost ?? Number.POSITIVE_INFINITY);
    frame.cost = this.fixedCost;
    const value = this.guarded(frame, budget?.deadline);
    return frame.cost > frame.limit ? { value: costExceeded, cost: frame.cost } : { value, cost: frame.cost };
  }

  private guarded(frame: Frame, deadline: number | undefined): Value {
    try {
      return deadline === undefined ? this.run(frame) : withDeadline(deadline, () => this.run(frame));
    } catch (error) {
      if (error instanceof Interrupted) return error;
      // Strings and arrays that exceed the limits of JavaScript, and stack overflows.
      if (error instanceof RangeError)
        return new CelError(`evaluation exceeds what can be held in memory: ${error.message}`);
      throw error;
    }
  }
}
