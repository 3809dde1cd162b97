// One mutation of a policy: evaluates its expression and changes the object by the result, an apply
// configuration or a JSON Patch.
import type { CelList, Value } from '@instar/cel';
import { runtimeCostBudget, StructValue, typeNameFaults } from '@instar/cel/kubernetes';
import {
  apiErrors,
  applyJsonPatch,
  asJson,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
  type KubeObject,
  PatchError,
  PatchTestError,
} from '@instar/machinery';
import type { Activation } from '../cel/activation.ts';
import { Budget, evaluate, OutOfBudget } from '../cel/evaluate.ts';
import { configurationOf, jsonOfValue, NoJson } from '../cel/json-of-value.ts';
import type { AdmissionHost } from '../host.ts';
import type { CompiledMutation } from './mutating-policy.ts';

/** The failurePolicy decides what becomes of the request. */
export class MutationFailure extends Error {
  readonly errorType: 'compile_error' | 'invalid_error' | 'out_of_budget';

  constructor(message: string, errorType: MutationFailure['errorType'] = 'invalid_error') {
    super(message);
    this.errorType = errorType;
  }
}

type MutationHost = Pick<AdmissionHost, 'applyConfiguration' | 'interpret'>;

/** The object afterwards, decoded and defaulted. Throws MutationFailure, or an ApiError for the request. */
export function applyMutation(
  { type, expression }: CompiledMutation,
  object: KubeObject,
  activation: Activation,
  host: MutationHost,
): KubeObject {
  if (expression.error !== undefined) throw new MutationFailure(expression.error, 'compile_error');
  const result = resultOf(() => evaluate(expression, activation, new Budget(runtimeCostBudget)));
  if (type === 'JSONPatch') return patched(result, object, host);
  try {
    return host.interpret(merged(result as StructValue, object, host));
  } catch (error) {
    throw error instanceof MutationFailure ? error : new MutationFailure((error as Error).message);
  }
}

function resultOf(run: () => ReturnType<typeof evaluate>): Value {
  try {
    const result = run();
    if ('error' in result) throw new MutationFailure(result.error);
    return result.value;
  } catch (error) {
    throw error instanceof OutOfBudget ? new MutationFailure(error.message, 'out_of_budget') : error;
  }
}

function merged(value: StructValue, object: KubeObject, host: MutationHost): JsonObject {
  checkTypeNames(value);
  const { apiVersion, kind } = object;
  try {
    return host.applyConfiguration(object, { ...configured(value), apiVersion, kind });
  } catch (error) {
    throw new MutationFailure(`error applying patch: ${(error as Error).message}`);
  }
}

function configured(value: StructValue): JsonObject {
  try {
    return configurationOf(value);
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    throw new Error(`failed to convert patch object to typed object: ${error.message}`);
  }
}

function checkTypeNames(value: StructValue): void {
  const faults = typeNameFaults(value);
  if (faults.length > 0) throw new MutationFailure(`type mismatch: ${faults.join('\n')}`);
}

function jsonOf(value: Value): JsonValue {
  try {
    return jsonOfValue(value);
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    throw new MutationFailure(
      `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`,
    );
  }
}

/** A test that fails leaves the object as it is. */
function patched(result: Value, object: KubeObject, host: MutationHost): KubeObject {
  const operations = [...(result as CelList)].map((each) => operationOf(each as StructValue));
  let after: JsonValue;
  try {
    after = applyJsonPatch(asJson(object), operations);
  } catch (error) {
    if (error instanceof PatchTestError) return object;
    if (error instanceof PatchError) throw new MutationFailure(`JSON Patch: ${error.message}`);
    throw error;
  }
  try {
    return host.interpret(after, { strict: true });
  } catch (error) {
    throw apiErrors.internal((error as Error).message);
  }
}

function operationOf({ fields }: StructValue): JsonPatchOperation {
  const text = (name: string): string => (fields.get(name) as string | undefined) ?? '';
  const value = fields.get('value');
  if (value instanceof StructValue) checkTypeNames(value);
  return {
    op: text('op'),
    path: text('path'),
    ...(text('from') !== '' && { from: text('from') }),
    ...(value !== undefined && { value: jsonOf(value) }),
  };
}
