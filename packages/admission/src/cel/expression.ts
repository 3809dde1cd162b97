// One admission expression, compiled once against its variables and allowed result types.
import { type CelType, CompileError, compile, type Environment, type Program, sameType } from '@instar/cel';

export interface Expression {
  readonly text: string;
  readonly program: Program | undefined;
  /** Why it did not compile, in upstream's words. */
  readonly error: string | undefined;
}

export function compileExpression(
  text: string,
  environment: Environment,
  results: readonly CelType[],
): Expression {
  try {
    const program = compile(text, environment);
    if (results.length === 0 || results.some((type) => sameType(program.type, type)))
      return { text, program, error: undefined };
    return {
      text,
      program: undefined,
      error: `must evaluate to ${listed(results)} but got ${goName(program.type)}`,
    };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const stage = error.stage === 'program' ? 'program instantiation failed: ' : 'compilation failed: ';
    return { text, program: undefined, error: stage + error.message };
  }
}

function listed(types: readonly CelType[]): string {
  return types.length === 1 ? goName(types[0]!) : `one of [${types.map(goName).join(' ')}]`;
}

/** A type as Go prints it: by its runtime name. */
function goName({ name, params, nullable }: CelType): string {
  const own = nullable ? `wrapper(${name})` : name;
  return params.length === 0 ? own : `${own}(${params.map(goName).join(', ')})`;
}
