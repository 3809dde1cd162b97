// Schemas and versions as kube-apiserver prints them in messages: as JSON of its internal structs, with Go's
// field names in Go's order, set or not.

import { quoteGo } from '@instar/go';
import { encodeGoJson, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps, ValidationRule } from '@instar/schema';
import type { CustomResourceDefinitionVersion, CustomResourceSubresources } from '../types.ts';

type Print<T> = (value: T) => string;
type Fields<T> = readonly (readonly [goName: string, key: keyof T & string, print: Print<never>])[];

const json: Print<JsonValue | undefined> = (value) => encodeGoJson(value ?? null);
const text: Print<string | undefined> = (value) => encodeGoJson(value ?? '');
const flag: Print<boolean | undefined> = (value) => String(value ?? false);
const integer: Print<number | undefined> = (value) => String(value ?? 0);

function orNull<T>(print: Print<T>): Print<T | undefined> {
  return (value) => (value === undefined || value === null ? 'null' : print(value));
}

function list<T>(print: Print<T>): Print<readonly T[] | undefined> {
  return orNull((items) => `[${items.map(print).join(',')}]`);
}

function map<T>(print: Print<T>): Print<Readonly<Record<string, T>> | undefined> {
  return orNull((members) => {
    const names = Object.keys(members).sort();
    return `{${names.map((name) => `${encodeGoJson(name)}:${print(members[name]!)}`).join(',')}}`;
  });
}

function struct<T extends object>(fields: Fields<T>): Print<T> {
  return (value) =>
    `{${fields.map(([name, key, print]) => `${quoteGo(name)}:${print(value[key] as never)}`).join(',')}}`;
}

const schema: Print<JSONSchemaProps> = (value) => struct(SCHEMA_FIELDS)(value);

const schemaOrList = orNull<JSONSchemaProps | JSONSchemaProps[]>((value) =>
  Array.isArray(value)
    ? `{"Schema":null,"JSONSchemas":${list(schema)(value)}}`
    : `{"Schema":${schema(value)},"JSONSchemas":null}`,
);
const schemaOrBool = orNull<JSONSchemaProps | boolean>((value) =>
  typeof value === 'boolean'
    ? `{"Allows":${value},"Schema":null}`
    : `{"Allows":true,"Schema":${schema(value)}}`,
);
const schemaOrTexts: Print<JSONSchemaProps | string[] | null> = (value) =>
  value === null || Array.isArray(value)
    ? `{"Schema":null,"Property":${json(value)}}`
    : `{"Schema":${schema(value)},"Property":null}`;

const documentation = struct<{ description?: string; url?: string }>([
  ['Description', 'description', text],
  ['URL', 'url', text],
]);

const rule = struct<ValidationRule>([
  ['Rule', 'rule', text],
  ['Message', 'message', text],
  ['MessageExpression', 'messageExpression', text],
  ['Reason', 'reason', json],
  ['FieldPath', 'fieldPath', text],
  ['OptionalOldSelf', 'optionalOldSelf', json],
]);

/** Also the order in which upstream checks the keywords of a root schema. */
export const SCHEMA_FIELDS: Fields<JSONSchemaProps> = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', json],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', json],
  ['Maximum', 'maximum', json],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', json],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', json],
  ['MinLength', 'minLength', json],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', json],
  ['MinItems', 'minItems', json],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', json],
  ['Enum', 'enum', json],
  ['MaxProperties', 'maxProperties', json],
  ['MinProperties', 'minProperties', json],
  ['Required', 'required', json],
  ['Items', 'items', schemaOrList],
  ['AllOf', 'allOf', list(schema)],
  ['OneOf', 'oneOf', list(schema)],
  ['AnyOf', 'anyOf', list(schema)],
  ['Not', 'not', orNull(schema)],
  ['Properties', 'properties', map(schema)],
  ['AdditionalProperties', 'additionalProperties', schemaOrBool],
  ['PatternProperties', 'patternProperties', map(schema)],
  ['Dependencies', 'dependencies', map(schemaOrTexts)],
  ['AdditionalItems', 'additionalItems', schemaOrBool],
  ['Definitions', 'definitions', map(schema)],
  ['ExternalDocs', 'externalDocs', orNull(documentation)],
  ['Example', 'example', json],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', json],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', json],
  ['XListType', 'x-kubernetes-list-type', json],
  ['XMapType', 'x-kubernetes-map-type', json],
  ['XValidations', 'x-kubernetes-validations', list(rule)],
];

const subresources = orNull<CustomResourceSubresources>(({ status, scale }) => {
  const scaleText = orNull<NonNullable<typeof scale>>((value) =>
    struct<NonNullable<typeof scale>>([
      ['SpecReplicasPath', 'specReplicasPath', text],
      ['StatusReplicasPath', 'statusReplicasPath', text],
      ['LabelSelectorPath', 'labelSelectorPath', json],
    ])(value),
  );
  return `{"Status":${status === undefined ? 'null' : '{}'},"Scale":${scaleText(scale)}}`;
});

const column = struct<NonNullable<CustomResourceDefinitionVersion['additionalPrinterColumns']>[number]>([
  ['Name', 'name', text],
  ['Type', 'type', text],
  ['Format', 'format', text],
  ['Description', 'description', text],
  ['Priority', 'priority', integer],
  ['JSONPath', 'jsonPath', text],
]);

const version = struct<CustomResourceDefinitionVersion>([
  ['Name', 'name', text],
  ['Served', 'served', flag],
  ['Storage', 'storage', flag],
  ['Deprecated', 'deprecated', flag],
  ['DeprecationWarning', 'deprecationWarning', json],
  [
    'Schema',
    'schema',
    orNull(
      struct<{ openAPIV3Schema?: JSONSchemaProps }>([['OpenAPIV3Schema', 'openAPIV3Schema', orNull(schema)]]),
    ),
  ],
  ['Subresources', 'subresources', subresources],
  ['AdditionalPrinterColumns', 'additionalPrinterColumns', list(column)],
  [
    'SelectableFields',
    'selectableFields',
    list(struct<{ jsonPath: string }>([['JSONPath', 'jsonPath', text]])),
  ],
]);

export const printGoSchema = schema;

/** A request without versions has a nil slice, printed as null. */
export function printGoVersions(versions: readonly CustomResourceDefinitionVersion[]): string {
  return versions.length === 0 ? 'null' : list(version)(versions);
}
