// The Go types that upstream has for its built-in kinds, as far as clients can see them: names in decoding
// errors, which empty values are omitted, which fields are required, how lists merge, and the numbers of the
// fields in protobuf. One description of a kind yields its decoder, its published schema and its protobuf
// message. Nothing here looks at objects.
import type { JsonObject, JsonValue } from '@instar/machinery';

/** A Go type of a field. */
export type GoType = ScalarType | ListType | MapType | StructType | LazyType | ChoiceType;

/** A string, number, boolean or a type with JSON of its own, such as a time. */
export interface ScalarType {
  readonly kind:
    | 'string'
    | 'int32'
    | 'int64'
    | 'float64'
    | 'bool'
    | 'bytes'
    | 'time'
    | 'microTime'
    | 'intOrString'
    | 'quantity'
    | 'raw';
  /** As Go prints the type: "string", "v1.SecretType", "[]uint8". */
  readonly name: string;
  readonly enum?: readonly string[];
}

/** A slice. */
export interface ListType {
  readonly kind: 'list';
  readonly name: string;
  readonly items: GoType;
  /** A list type with a name of its own is a message with one field in protobuf. */
  readonly isMessage?: boolean;
}

/** A map with strings as keys. */
export interface MapType {
  readonly kind: 'map';
  readonly name: string;
  readonly values: GoType;
}

/** A recursive type: looked up when it is first needed. */
export interface LazyType {
  readonly kind: 'lazy';
  readonly name: string;
  type(): GoType;
}

/**
 * For a message that is not an object with these fields in JSON but another value that represents them: a
 * list of strings, a schema or a boolean.
 */
export interface StandIn {
  /** The fields of the message that the value represents. */
  toMessage(value: JsonValue): JsonObject;
  fromMessage(message: JsonObject): JsonValue;
}

/**
 * A Go type with its own decoder that looks at the value first: a schema or a boolean, a schema or a list of
 * them.
 */
export interface ChoiceType {
  readonly kind: 'choice';
  readonly name: string;
  readonly options: readonly GoType[];
  /** Which of the options (by index) the value is; -1 if none, with `complaint` as Go's decoder has it. */
  choose(value: JsonValue): number;
  readonly complaint: string;
  /** The message that represents the value in protobuf, and how the value is converted to it. */
  readonly message: { readonly fields: Readonly<Record<string, GoField>>; readonly standIn: StandIn };
}

/** A struct: an object with known fields. */
export interface StructType {
  readonly kind: 'struct';
  readonly name: string;
  /** The name of the published model, if it does not follow from the group of the kind. */
  readonly model?: string;
  readonly description: string;
  readonly fields: ReadonlyMap<string, GoField>;
  /** The whole is replaced, not merged, by server-side apply. */
  readonly atomic: boolean;
}

export interface FieldOptions {
  /** A pointer in Go: absent and empty differ, and an empty value stays. */
  readonly pointer?: boolean;
  /** No omitempty in Go: the empty value is shown (a missing list as null). */
  readonly keepEmpty?: boolean;
  /** omitzero in Go: a missing time is left out rather than shown as null. */
  readonly omitZero?: boolean;
  readonly required?: boolean;
  readonly default?: JsonValue;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly patch?: { readonly strategy: string; readonly key?: string };
  /** A map or struct that server-side apply replaces as a whole. */
  readonly atomic?: boolean;
  /** The Go name of the embedded struct that contains the field; Go has it in the paths of its errors. */
  readonly embeddedIn?: string;
}

/**
 * The number of a field in protobuf; 0 if it is not part of the message (apiVersion and kind are written
 * around it). For a field of an embedded struct, the numbers that lead to the struct and its own.
 */
type FieldNumber = number | readonly number[];

/** A field of a struct. */
export interface GoField extends FieldOptions {
  readonly number: FieldNumber;
  readonly type: GoType;
  readonly description: string;
}

/** Go's string. */
export const string: ScalarType = { kind: 'string', name: 'string' };
/** Go's int32. */
export const int32: ScalarType = { kind: 'int32', name: 'int32' };
/** Go's int64. */
export const int64: ScalarType = { kind: 'int64', name: 'int64' };
/** Go's float64. */
export const float64: ScalarType = { kind: 'float64', name: 'float64' };
/** Go's bool. */
export const bool: ScalarType = { kind: 'bool', name: 'bool' };
/** Bytes, which are base64 in JSON. */
export const bytes: ScalarType = { kind: 'bytes', name: '[]uint8' };
/** metav1.Time, to the second. */
export const time: ScalarType = { kind: 'time', name: 'v1.Time' };
/** metav1.MicroTime. */
export const microTime: ScalarType = { kind: 'microTime', name: 'v1.MicroTime' };
/** resource.Quantity. */
export const quantity: ScalarType = { kind: 'quantity', name: 'resource.Quantity' };
/** A port or a percentage: a number or a string. */
export const intOrString: ScalarType = { kind: 'intOrString', name: 'intstr.IntOrString' };
/** JSON that Go keeps as it was received. */
export const raw = (name: string): ScalarType => ({ kind: 'raw', name });
/** A named string type, with the values that OpenAPI lists. */
export const named = (name: string, ...values: string[]): ScalarType => ({
  kind: 'string',
  name,
  ...(values.length > 0 && { enum: values }),
});

/** A recursive type. */
export const lazy = (name: string, type: () => GoType): LazyType => ({ kind: 'lazy', name, type });

/** A list of a type. */
export const listOf = (items: GoType): ListType => ({ kind: 'list', name: `[]${items.name}`, items });
/** A map to a type. */
export const mapOf = (values: GoType): MapType => ({
  kind: 'map',
  name: `map[string]${values.name}`,
  values,
});

/** A struct with these fields. */
export function struct(
  name: string,
  description: string,
  fields: Record<string, GoField>,
  options: { atomic?: boolean } = {},
): StructType {
  return {
    kind: 'struct',
    name,
    description,
    fields: new Map(Object.entries(fields)),
    atomic: options.atomic ?? false,
  };
}

type DescribeField = (
  number: FieldNumber,
  type: GoType,
  description: string,
  options?: FieldOptions,
) => GoField;

/** A field that is omitted when it is empty. */
export const field: DescribeField = (number, type, description, options = {}) => ({
  ...options,
  number,
  type,
  description,
});
/** A field that is a pointer in Go. */
export const pointer: DescribeField = (number, type, description, options = {}) =>
  field(number, type, description, { ...options, pointer: true });
/** A field that is required and shown when it is empty. */
export const required: DescribeField = (number, type, description, options = {}) =>
  field(number, type, description, { keepEmpty: true, ...options, required: true });
/** `type` is that of the items. */
export const atomicList: DescribeField = (number, type, description, options = {}) =>
  field(number, listOf(type), description, { listType: 'atomic', ...options });
