// Compiles the expressions of one policy. Its variables are compiled in order, and each may use those before
// it.
import { boolType, type CelType, type Environment, nullType, stringType } from '@instar/cel';
import { admissionEnvironment, type Declared } from '../cel/environment.ts';
import { compileExpression, type Expression } from '../cel/expression.ts';
import { VariablesType } from '../cel/variables-type.ts';

/** An entry of `variables` of a policy. */
export interface VariableSource {
  readonly name: string;
  readonly expression: string;
}

/** More precise types than dyn; without them, an object may be of any type. */
export type KnownTypes = Pick<Declared, 'object' | 'paramsType'>;

/** Compiles the expressions of one policy against the variables that they may use. */
export class PolicyCompiler {
  readonly variables = new Map<string, Expression>();
  readonly #params: boolean;
  readonly #types: KnownTypes;
  readonly #variablesType: VariablesType | undefined;
  readonly #environments = new Map<boolean, Environment>();

  constructor({
    params,
    hasVariables,
    types = {},
  }: { readonly params: boolean; readonly hasVariables: boolean; readonly types?: KnownTypes }) {
    this.#params = params;
    this.#types = types;
    this.#variablesType = hasVariables ? new VariablesType() : undefined;
  }

  variable({ name, expression }: VariableSource): Expression {
    const compiled = this.#compile(expression, [], true);
    this.variables.set(name, compiled);
    this.#variablesType?.add(name, compiled.program?.type);
    return compiled;
  }

  validation(expression: string): Expression {
    return this.#compile(expression, [boolType], true);
  }

  /** Messages have no access to the authorizer. */
  message(expression: string): Expression {
    return this.#compile(expression, [stringType], false);
  }

  annotation(expression: string): Expression {
    return this.#compile(expression, [stringType, nullType], true);
  }

  /** Of any result type. */
  any(expression: string): Expression {
    return this.#compile(expression, [], true);
  }

  #compile(text: string, results: readonly CelType[], authorizer: boolean): Expression {
    return compileExpression(text, this.#environment(authorizer), results);
  }

  #environment(authorizer: boolean): Environment {
    let environment = this.#environments.get(authorizer);
    if (environment === undefined) {
      const variables = this.#variablesType === undefined ? {} : { variables: this.#variablesType.type };
      environment = admissionEnvironment({ params: this.#params, authorizer, ...variables, ...this.#types });
      this.#environments.set(authorizer, environment);
    }
    return environment;
  }
}
