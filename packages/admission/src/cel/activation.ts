// The values of the variables for one request. A policy's variables are evaluated when an expression first
// uses them, then cached.
import { CelError, type Value } from '@instar/cel';
import {
  type Authorize,
  authorizerValue,
  perCallLimit,
  resourceAuthorizerValue,
} from '@instar/cel/kubernetes';
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { AdmissionSubject } from '../subject.ts';
import type { Expression } from './expression.ts';

export interface Bindings {
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  readonly request: JsonObject;
  readonly namespaceObject?: JsonValue;
  readonly params?: JsonValue;
  /** Absent: expressions that use the authorizer fail. */
  readonly authorize?: Authorize;
  readonly subject: AdmissionSubject;
  readonly variables?: ReadonlyMap<string, Expression>;
}

export class Activation {
  readonly values: Readonly<Record<string, unknown>>;
  #variableCost = 0;

  constructor(bindings: Bindings) {
    const {
      object,
      oldObject,
      request,
      namespaceObject = null,
      params = null,
      authorize,
      subject,
      variables,
    } = bindings;
    const values: Record<string, unknown> = { object, oldObject, request, namespaceObject, params };
    if (authorize !== undefined) {
      values['authorizer'] = authorizerValue(authorize);
      values['authorizer.requestResource'] = resourceAuthorizerValue(authorize, checkedResource(subject));
    }
    if (variables !== undefined)
      values['variables'] = new LazyVariables(variables, (expression) => this.#evaluate(expression));
    this.values = values;
  }

  /** What variables have cost since the last call. */
  takeVariableCost(): number {
    const cost = this.#variableCost;
    this.#variableCost = 0;
    return cost;
  }

  #evaluate({ program, error }: Expression): Value {
    if (program === undefined) return new CelError(`fails to compile: ${error}`);
    const { value, cost } = program.evaluate(this.values, { maxCost: perCallLimit });
    this.#variableCost += cost;
    return value instanceof CelError ? new CelError(`fails to evaluate: ${value.message}`) : value;
  }
}

/** Behind the `variables` object; variables-type.ts reads it. */
export class LazyVariables {
  readonly #expressions: ReadonlyMap<string, Expression>;
  readonly #evaluate: (expression: Expression) => Value;
  readonly #known = new Map<string, Value>();

  constructor(expressions: ReadonlyMap<string, Expression>, evaluate: (expression: Expression) => Value) {
    this.#expressions = expressions;
    this.#evaluate = evaluate;
  }

  has(name: string): boolean {
    return this.#expressions.has(name);
  }

  get(name: string): Value {
    let value = this.#known.get(name);
    if (value === undefined) {
      value = this.#evaluate(this.#expressions.get(name)!);
      if (value instanceof CelError)
        value = new CelError(`composited variable ${JSON.stringify(name)} ${value.message}`);
      this.#known.set(name, value);
    }
    return value;
  }
}

function checkedResource({ resource, subresource, namespace, name }: AdmissionSubject) {
  return {
    group: resource.group,
    resource: resource.resource,
    subresource,
    namespace,
    name,
    fieldSelector: '',
    labelSelector: '',
  };
}
