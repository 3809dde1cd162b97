// The types, values and declarations of cel-spec's test data, as this package has them.
import type { Decl, Decl_FunctionDecl, Type } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import { Type_PrimitiveType, Type_WellKnownType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { SimpleTest } from '@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js';
import type { Value as ValueMessage } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { createRegistry, type Message } from '@bufbuild/protobuf';
import {
  anyUnpack,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
} from '@bufbuild/protobuf/wkt';
import * as cel from '../index.ts';
import { type Protobuf, protobuf } from '../protobuf/index.ts';

const registry = createRegistry(
  getTestRegistry(),
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
);

/** The environment of a test, without its messages. */
export interface World {
  readonly messages: Protobuf;
  readonly environment: cel.Environment;
  readonly withoutMacros: cel.Environment;
}

function worldOf(messages: Protobuf): World {
  const functions = [
    cel.optionalLibrary(),
    cel.bindingsLibrary,
    cel.twoVariableLibrary,
    cel.stringsLibrary(),
    cel.mathLibrary(),
    cel.listsLibrary(),
    cel.setsLibrary,
    cel.encodersLibrary,
    cel.regexLibrary,
    cel.blockLibrary,
  ];
  return {
    messages,
    environment: new cel.Environment({ libraries: [cel.standardLibrary, ...functions, messages.library] }),
    withoutMacros: new cel.Environment({
      libraries: [{ ...cel.standardLibrary, macros: [] }, messages.library],
    }),
  };
}

export const usual = worldOf(protobuf(registry));
export const withStrongEnums = worldOf(protobuf(registry, { enums: 'strong' }));

const primitives: Readonly<Record<Type_PrimitiveType, cel.CelType>> = {
  [Type_PrimitiveType.PRIMITIVE_TYPE_UNSPECIFIED]: cel.dynType,
  [Type_PrimitiveType.BOOL]: cel.boolType,
  [Type_PrimitiveType.INT64]: cel.intType,
  [Type_PrimitiveType.UINT64]: cel.uintType,
  [Type_PrimitiveType.DOUBLE]: cel.doubleType,
  [Type_PrimitiveType.STRING]: cel.stringType,
  [Type_PrimitiveType.BYTES]: cel.bytesType,
};

const wellKnown: Readonly<Record<Type_WellKnownType, cel.CelType>> = {
  [Type_WellKnownType.WELL_KNOWN_TYPE_UNSPECIFIED]: cel.dynType,
  [Type_WellKnownType.ANY]: cel.anyType,
  [Type_WellKnownType.TIMESTAMP]: cel.timestampType,
  [Type_WellKnownType.DURATION]: cel.durationType,
};

export function typeFrom(message: Type | undefined, world: World): cel.CelType {
  const kind = message?.typeKind;
  const inner = (type: Type | undefined): cel.CelType => typeFrom(type, world);
  switch (kind?.case) {
    case 'primitive':
      return primitives[kind.value];
    case 'wrapper':
      return cel.wrapperType(primitives[kind.value]);
    case 'wellKnown':
      return wellKnown[kind.value];
    case 'null':
      return cel.nullType;
    case 'error':
      return cel.errorType;
    case 'listType':
      return cel.listType(inner(kind.value.elemType));
    case 'mapType':
      return cel.mapType(inner(kind.value.keyType), inner(kind.value.valueType));
    case 'type':
      return cel.typeOfType(inner(kind.value));
    case 'abstractType':
      return cel.opaqueType(kind.value.name, ...kind.value.parameterTypes.map(inner));
    case 'typeParam':
      return cel.typeParam(kind.value);
    case 'messageType':
      return world.environment.type(kind.value) ?? cel.opaqueType(kind.value);
    default:
      return cel.dynType;
  }
}

export function valueFrom({ kind }: ValueMessage, world: World): cel.Value {
  switch (kind.case) {
    case 'boolValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'int64Value':
      return cel.intOf(kind.value);
    case 'uint64Value':
      return cel.uintOf(kind.value);
    case 'doubleValue':
      return new cel.Double(kind.value);
    case 'listValue':
      return cel.listOf(kind.value.values.map((value) => valueFrom(value, world)));
    case 'mapValue':
      return cel.mapOf(
        kind.value.entries.map(({ key, value }) => [valueFrom(key!, world), valueFrom(value!, world)]),
      );
    case 'typeValue':
      return world.environment.type(kind.value) ?? cel.opaqueType(kind.value);
    case 'enumValue':
      return enumFrom(kind.value.type, kind.value.value, world);
    case 'objectValue':
      return world.messages.valueOf(anyUnpack(kind.value, registry) as Message);
    default:
      return null;
  }
}

function enumFrom(type: string, number: number, world: World): cel.Value {
  return cel.compile(`${type}(${number})`, world.environment).evaluate({}).value;
}

/** Declared only: no test calls one. */
function functionFrom(name: string, { overloads }: Decl_FunctionDecl, world: World): cel.FunctionDeclaration {
  const declared = overloads.map(({ overloadId, params, resultType }) =>
    cel.overload(
      overloadId,
      params.map((param) => typeFrom(param, world)),
      typeFrom(resultType, world),
      () => null,
    ),
  );
  return cel.functionOf(name, ...declared);
}

function variablesFrom(declarations: readonly Decl[], world: World): Record<string, cel.CelType> {
  const idents = declarations.filter(({ declKind }) => declKind.case === 'ident');
  return Object.fromEntries(
    idents.map(({ name, declKind }) => [
      name,
      typeFrom((declKind.value as { type?: Type } | undefined)?.type, world),
    ]),
  );
}

export function environmentOf(test: SimpleTest, world: World): cel.Environment {
  const functions = test.typeEnv.flatMap(({ name, declKind }) =>
    declKind.case === 'function' ? [functionFrom(name, declKind.value, world)] : [],
  );
  const bound = test.disableCheck
    ? Object.fromEntries(Object.keys(test.bindings).map((name) => [name, cel.dynType]))
    : {};
  const base = test.disableMacros ? world.withoutMacros : world.environment;
  return base.extend({
    functions,
    variables: { ...bound, ...variablesFrom(test.typeEnv, world) },
    container: test.container,
  });
}

/** Messages are passed unchanged, as by a host. */
export function bindingsOf(test: SimpleTest, world: World): Record<string, unknown> {
  const entries = Object.entries(test.bindings).map(([name, { kind }]) => {
    if (kind.case !== 'value') throw new Error(`${name} is bound to no value`);
    const { kind: value } = kind.value;
    return [
      name,
      value.case === 'objectValue' && !test.disableCheck
        ? anyUnpack(value.value, registry)
        : valueFrom(kind.value, world),
    ];
  });
  return Object.fromEntries(entries);
}
