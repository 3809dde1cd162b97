// Compiles the expressions of one policy. Its variables are compiled in order, and each may use those before
// it.
import { boolType, type CelType, type Environment, listType, nullType, stringType } from '@instar/cel';
import { JSON_PATCH_TYPE, OBJECT_TYPE } from '@instar/cel/kubernetes';
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
  readonly #environments = new Map<string, Environment>();

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
    const compiled = this.#compile(expression, []);
    this.variables.set(name, compiled);
    this.#variablesType?.add(name, compiled.program?.type);
    return compiled;
  }

  validation(expression: string): Expression {
    return this.#compile(expression, [boolType]);
  }

  /** Messages have no access to the authorizer. */
  message(expression: string): Expression {
    return this.#compile(expression, [stringType], { authorizer: false });
  }

  annotation(expression: string): Expression {
    return this.#compile(expression, [stringType, nullType]);
  }

  configuration(expression: string): Expression {
    return this.#compile(expression, [OBJECT_TYPE], { patches: true });
  }

  jsonPatch(expression: string): Expression {
    return this.#compile(expression, [listType(JSON_PATCH_TYPE)], { patches: true });
  }

  /** Of any result type. */
  any(expression: string): Expression {
    return this.#compile(expression, []);
  }

  #compile(
    text: string,
    results: readonly CelType[],
    { authorizer = true, patches = false }: Partial<Declared> = {},
  ): Expression {
    return compileExpression(text, this.#environment(authorizer, patches), results);
  }

  #environment(authorizer: boolean, patches: boolean): Environment {
    const key = `${authorizer} ${patches}`;
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      const variables = this.#variablesType === undefined ? {} : { variables: this.#variablesType.type };
      const declared = { params: this.#params, authorizer, patches, ...variables, ...this.#types };
      environment = admissionEnvironment(declared);
      this.#environments.set(key, environment);
    }
    return environment;
  }
}
