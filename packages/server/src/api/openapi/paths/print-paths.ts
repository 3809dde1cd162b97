// Operations as the paths of a document, in either dialect. Parameters that all operations of a path share
// are printed once.
import { createHash } from 'node:crypto';
import { encodeJson, type JsonObject } from '@instar/machinery';
import { type Dialect, V2, V3 } from '../dialect.ts';
import type { Operation } from './operations.ts';
import { NAMESPACE, OPTIONS, type Parameter, PRETTY } from './parameters.ts';

type Print = (operation: Operation, parameters: readonly Parameter[]) => JsonObject;

export function printPaths(operations: readonly Operation[], { version }: Dialect): Map<string, JsonObject> {
  const [print, parameter] =
    version === 'v3' ? [operationInV3, parameterInV3] : [operationInV2, parameterInV2];
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations)
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  return new Map([...byPath].map(([path, group]) => [path, printPath(group, print, parameter)]));
}

function printPath(
  operations: readonly Operation[],
  print: Print,
  parameter: (parameter: Parameter) => JsonObject,
): JsonObject {
  const [first, ...others] = operations;
  const shared = first!.parameters.filter(({ name }) =>
    others.every(({ parameters }) => parameters.some((other) => other.name === name)),
  );
  const own = ({ parameters }: Operation) =>
    parameters.filter(({ name }) => !shared.some((common) => common.name === name));
  return {
    ...Object.fromEntries(
      operations.map((operation) => [operation.method, print(operation, own(operation))]),
    ),
    parameters: shared.map(parameter),
  };
}

const commonOf = ({ description, tag, id, action, gvk }: Operation) => ({
  head: { description, tags: [tag], operationId: id },
  tail: { 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': { ...gvk } },
});

const schemaOf = (model: string | undefined, dialect: Dialect): JsonObject =>
  model === undefined ? { type: 'string' } : dialect.reference(model);

function operationInV3(operation: Operation, parameters: readonly Parameter[]): JsonObject {
  const { head, tail } = commonOf(operation);
  const { body, answer, produces } = operation;
  const content = (types: readonly string[], model: string | undefined): JsonObject =>
    Object.fromEntries(types.map((type) => [type, { schema: schemaOf(model, V3) }]));
  const answers = answer.codes.map(([code, description]) => [
    code,
    { description, content: content(produces, answer.model) },
  ]);
  return {
    ...head,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterInV3) }),
    ...(body !== undefined && {
      requestBody: { content: content(body.types, body.model), ...(body.required && { required: true }) },
    }),
    responses: { ...Object.fromEntries(answers), '401': { description: 'Unauthorized' } },
    ...tail,
  };
}

function parameterInV3({ name, in: location, description, type }: Parameter): JsonObject {
  return {
    name,
    in: location,
    description,
    ...(location === 'path' && { required: true }),
    schema: { type },
  };
}

function operationInV2(operation: Operation, parameters: readonly Parameter[]): JsonObject {
  const { head, tail } = commonOf(operation);
  const { body, answer, produces } = operation;
  const answers = answer.codes.map(([code, description]) => [
    code,
    { description, schema: schemaOf(answer.model, V2) },
  ]);
  const printed = [
    ...(body === undefined
      ? []
      : [
          {
            name: 'body',
            in: 'body',
            ...(body.required && { required: true }),
            schema: V2.reference(body.model),
          },
        ]),
    ...parameters.map(parameterInV2),
  ];
  return {
    ...head,
    consumes: [...(body?.types ?? produces)],
    produces: [...produces],
    schemes: ['https'],
    ...(printed.length > 0 && { parameters: printed }),
    responses: { ...Object.fromEntries(answers), '401': { description: 'Unauthorized' } },
    ...tail,
  };
}

/** Parameters that are printed once for the whole document and referenced. */
const sharedInV2 = new Map<Parameter, string>();

/** kubectl up to 1.27 detects features by these two, and does not follow references. */
const NEVER_SHARED = new Set(['dryRun', 'fieldValidation']);

for (const parameter of new Set([PRETTY, NAMESPACE, ...Object.values(OPTIONS).flat()])) {
  if (NEVER_SHARED.has(parameter.name)) continue;
  const digest = createHash('sha256')
    .update(encodeJson(inlineInV2(parameter)))
    .digest('base64url')
    .slice(0, 8);
  sharedInV2.set(parameter, `${parameter.name}-${digest}`);
}

function parameterInV2(parameter: Parameter): JsonObject {
  const shared = sharedInV2.get(parameter);
  return shared === undefined ? inlineInV2(parameter) : { $ref: `#/parameters/${shared}` };
}

function inlineInV2({ name, in: location, description, type }: Parameter): JsonObject {
  return { name, in: location, description, ...(location === 'path' && { required: true }), type };
}

/** The parameters that operations reference in version 2. */
export const sharedParametersInV2 = (): JsonObject =>
  Object.fromEntries([...sharedInV2].map(([parameter, name]) => [name, inlineInV2(parameter)]));
