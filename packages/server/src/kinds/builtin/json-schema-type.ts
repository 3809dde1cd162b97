// apiextensions.k8s.io/v1 JSONSchemaProps as a Go type: the schema language of custom resources, which is
// itself data in a definition.
import { isJsonObject, type JsonValue } from '@instar/machinery';
import {
  atomicList,
  bool,
  type ChoiceType,
  field,
  float64,
  type GoType,
  int64,
  lazy,
  listOf,
  mapOf,
  named,
  pointer,
  raw,
  required,
  type StructType,
  string,
  struct,
} from '../../objects/go-type.ts';

const anyJson = raw('v1.JSON');
const schema = lazy('v1.JSONSchemaProps', () => JSONSchemaProps);

const choice = (
  name: string,
  options: readonly GoType[],
  choose: (value: JsonValue) => number,
  complaint: string,
): ChoiceType => ({
  kind: 'choice',
  name,
  options,
  choose,
  complaint,
});

const schemaOrBool = choice(
  'v1.JSONSchemaPropsOrBool',
  [schema, bool],
  (value) => (isJsonObject(value) ? 0 : typeof value === 'boolean' ? 1 : -1),
  'boolean or JSON schema expected',
);

const schemaOrList = choice(
  'v1.JSONSchemaPropsOrArray',
  [schema, listOf(schema)],
  (value) => (isJsonObject(value) ? 0 : Array.isArray(value) ? 1 : -1),
  'JSON object or array expected',
);

const schemaOrTexts = choice(
  'v1.JSONSchemaPropsOrStringArray',
  [schema, listOf(string)],
  (value) => (isJsonObject(value) ? 0 : Array.isArray(value) ? 1 : -1),
  'JSON object or string array expected',
);

const ValidationRule = struct(
  'v1.ValidationRule',
  'A rule in the Common Expression Language that values must keep.',
  {
    rule: required(string, 'The expression; self is the value that the schema describes.'),
    message: field(string, 'What to say when the rule is broken.'),
    messageExpression: field(string, 'An expression that makes the message.'),
    reason: pointer(named('v1.FieldValueErrorReason'), 'The reason that the answer gives.'),
    fieldPath: field(string, 'The field that the answer names, relative to the value.'),
    optionalOldSelf: pointer(
      bool,
      'True to evaluate the rule also where there is no old value, with oldSelf as an optional.',
    ),
  },
);

const ExternalDocumentation = struct('v1.ExternalDocumentation', 'Where to read more.', {
  description: field(string, 'What is found there.'),
  url: field(string, 'The address.'),
});

export const JSONSchemaProps: StructType = struct(
  'v1.JSONSchemaProps',
  'A schema of OpenAPI v3, with the extensions of Kubernetes.',
  {
    id: field(string, 'Not used.'),
    $schema: field(named('v1.JSONSchemaURL'), 'Not used.'),
    $ref: pointer(string, 'Not allowed in definitions.'),
    description: field(string, 'What the value means.'),
    type: field(string, 'object, array, string, integer, number or boolean.'),
    format: field(string, 'A format that strings or numbers must have.'),
    title: field(string, 'A short name.'),
    default: pointer(anyJson, 'The value to take where none is given.'),
    maximum: pointer(float64, 'The largest number.'),
    exclusiveMaximum: field(bool, 'True if maximum itself is too large.'),
    minimum: pointer(float64, 'The smallest number.'),
    exclusiveMinimum: field(bool, 'True if minimum itself is too small.'),
    maxLength: pointer(int64, 'How many characters a string may have.'),
    minLength: pointer(int64, 'How many characters a string must have.'),
    pattern: field(string, 'A regular expression that must be found in a string.'),
    maxItems: pointer(int64, 'How many items a list may have.'),
    minItems: pointer(int64, 'How many items a list must have.'),
    uniqueItems: field(bool, 'Not allowed; see x-kubernetes-list-type.'),
    multipleOf: pointer(float64, 'What a number must be a multiple of.'),
    enum: atomicList(anyJson, 'The values that are allowed.'),
    maxProperties: pointer(int64, 'How many members an object may have.'),
    minProperties: pointer(int64, 'How many members an object must have.'),
    required: atomicList(string, 'The members that an object must have.'),
    items: pointer(schemaOrList, 'The schema of the items of a list.'),
    allOf: atomicList(schema, 'Schemas that must all hold.'),
    oneOf: atomicList(schema, 'Schemas of which exactly one must hold.'),
    anyOf: atomicList(schema, 'Schemas of which at least one must hold.'),
    not: pointer(schema, 'A schema that must not hold.'),
    properties: field(mapOf(schema), 'The schemas of the members by name.'),
    additionalProperties: pointer(schemaOrBool, 'The schema of all members, for maps.'),
    patternProperties: field(mapOf(schema), 'Not allowed in definitions.'),
    dependencies: field(mapOf(schemaOrTexts), 'Not allowed in definitions.'),
    additionalItems: pointer(schemaOrBool, 'Not allowed in definitions.'),
    definitions: field(mapOf(schema), 'Not allowed in definitions.'),
    externalDocs: pointer(ExternalDocumentation, 'Where to read more.'),
    example: pointer(anyJson, 'A value as an example.'),
    nullable: field(bool, 'True if null is a value of its own.'),
    'x-kubernetes-preserve-unknown-fields': pointer(
      bool,
      'True to keep members that the schema does not name.',
    ),
    'x-kubernetes-embedded-resource': field(
      bool,
      'True for a whole object with apiVersion, kind and metadata.',
    ),
    'x-kubernetes-int-or-string': field(bool, 'True for an integer or a string.'),
    'x-kubernetes-list-map-keys': atomicList(
      string,
      'The members that tell the items of a list of type map apart.',
    ),
    'x-kubernetes-list-type': pointer(string, 'How lists merge: atomic, set or map.'),
    'x-kubernetes-map-type': pointer(string, 'How objects merge: granular or atomic.'),
    'x-kubernetes-validations': field(listOf(ValidationRule), 'Rules that the value must keep.', {
      listType: 'map',
      mapKeys: ['rule'],
      patch: { strategy: 'merge', key: 'rule' },
    }),
  },
);
