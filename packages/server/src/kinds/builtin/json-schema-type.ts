// apiextensions.k8s.io/v1 JSONSchemaProps as a Go type: the schema language of custom resources, which is
// itself data in a definition.

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
} from '@instar/kinds';
import { isJsonObject } from '@instar/machinery';

const anyJson = raw('v1.JSON');
const schema = lazy('v1.JSONSchemaProps', () => JSONSchemaProps);

const schemaOrBool: ChoiceType = {
  kind: 'choice',
  name: 'v1.JSONSchemaPropsOrBool',
  options: [schema, bool],
  choose: (value) => (isJsonObject(value) ? 0 : typeof value === 'boolean' ? 1 : -1),
  complaint: 'boolean or JSON schema expected',
  message: {
    fields: { allows: field(1, bool, ''), schema: pointer(2, schema, '') },
    standIn: {
      toMessage: (value) => (isJsonObject(value) ? { allows: true, schema: value } : { allows: value }),
      fromMessage: ({ allows = false, schema: one }) => one ?? allows,
    },
  },
};

const schemaOrListOf = (name: string, items: GoType, complaint: string): ChoiceType => ({
  kind: 'choice',
  name,
  options: [schema, listOf(items)],
  choose: (value) => (isJsonObject(value) ? 0 : Array.isArray(value) ? 1 : -1),
  complaint,
  message: {
    fields: { schema: pointer(1, schema, ''), list: field(2, listOf(items), '') },
    standIn: {
      toMessage: (value) => (Array.isArray(value) ? { list: value } : { schema: value }),
      fromMessage: ({ schema: one, list }) => list ?? one ?? null,
    },
  },
});

const schemaOrList = schemaOrListOf('v1.JSONSchemaPropsOrArray', schema, 'JSON object or array expected');
const schemaOrTexts = schemaOrListOf(
  'v1.JSONSchemaPropsOrStringArray',
  string,
  'JSON object or string array expected',
);

const ValidationRule = struct(
  'v1.ValidationRule',
  'A rule in the Common Expression Language that values must keep.',
  {
    rule: required(1, string, 'The expression; self is the value that the schema describes.'),
    message: field(2, string, 'What to say when the rule is broken.'),
    messageExpression: field(3, string, 'An expression that makes the message.'),
    reason: pointer(4, named('v1.FieldValueErrorReason'), 'The reason that the answer gives.'),
    fieldPath: field(5, string, 'The field that the answer names, relative to the value.'),
    optionalOldSelf: pointer(
      6,
      bool,
      'True to evaluate the rule also where there is no old value, with oldSelf as an optional.',
    ),
  },
);

const ExternalDocumentation = struct('v1.ExternalDocumentation', 'Where to read more.', {
  description: field(1, string, 'What is found there.'),
  url: field(2, string, 'The address.'),
});

export const JSONSchemaProps: StructType = struct(
  'v1.JSONSchemaProps',
  'A schema of OpenAPI v3, with the extensions of Kubernetes.',
  {
    id: field(1, string, 'Not used.'),
    $schema: field(2, named('v1.JSONSchemaURL'), 'Not used.'),
    $ref: pointer(3, string, 'Not allowed in definitions.'),
    description: field(4, string, 'What the value means.'),
    type: field(5, string, 'object, array, string, integer, number or boolean.'),
    format: field(6, string, 'A format that strings or numbers must have.'),
    title: field(7, string, 'A short name.'),
    default: pointer(8, anyJson, 'The value to take where none is given.'),
    maximum: pointer(9, float64, 'The largest number.'),
    exclusiveMaximum: field(10, bool, 'True if maximum itself is too large.'),
    minimum: pointer(11, float64, 'The smallest number.'),
    exclusiveMinimum: field(12, bool, 'True if minimum itself is too small.'),
    maxLength: pointer(13, int64, 'How many characters a string may have.'),
    minLength: pointer(14, int64, 'How many characters a string must have.'),
    pattern: field(15, string, 'A regular expression that must be found in a string.'),
    maxItems: pointer(16, int64, 'How many items a list may have.'),
    minItems: pointer(17, int64, 'How many items a list must have.'),
    uniqueItems: field(18, bool, 'Not allowed; see x-kubernetes-list-type.'),
    multipleOf: pointer(19, float64, 'What a number must be a multiple of.'),
    enum: atomicList(20, anyJson, 'The values that are allowed.'),
    maxProperties: pointer(21, int64, 'How many members an object may have.'),
    minProperties: pointer(22, int64, 'How many members an object must have.'),
    required: atomicList(23, string, 'The members that an object must have.'),
    items: pointer(24, schemaOrList, 'The schema of the items of a list.'),
    allOf: atomicList(25, schema, 'Schemas that must all hold.'),
    oneOf: atomicList(26, schema, 'Schemas of which exactly one must hold.'),
    anyOf: atomicList(27, schema, 'Schemas of which at least one must hold.'),
    not: pointer(28, schema, 'A schema that must not hold.'),
    properties: field(29, mapOf(schema), 'The schemas of the members by name.'),
    additionalProperties: pointer(30, schemaOrBool, 'The schema of all members, for maps.'),
    patternProperties: field(31, mapOf(schema), 'Not allowed in definitions.'),
    dependencies: field(32, mapOf(schemaOrTexts), 'Not allowed in definitions.'),
    additionalItems: pointer(33, schemaOrBool, 'Not allowed in definitions.'),
    definitions: field(34, mapOf(schema), 'Not allowed in definitions.'),
    externalDocs: pointer(35, ExternalDocumentation, 'Where to read more.'),
    example: pointer(36, anyJson, 'A value as an example.'),
    nullable: field(37, bool, 'True if null is a value of its own.'),
    'x-kubernetes-preserve-unknown-fields': pointer(
      38,
      bool,
      'True to keep members that the schema does not name.',
    ),
    'x-kubernetes-embedded-resource': field(
      39,
      bool,
      'True for a whole object with apiVersion, kind and metadata.',
    ),
    'x-kubernetes-int-or-string': field(40, bool, 'True for an integer or a string.'),
    'x-kubernetes-list-map-keys': atomicList(
      41,
      string,
      'The members that tell the items of a list of type map apart.',
    ),
    'x-kubernetes-list-type': pointer(42, string, 'How lists merge: atomic, set or map.'),
    'x-kubernetes-map-type': pointer(43, string, 'How objects merge: granular or atomic.'),
    'x-kubernetes-validations': field(44, listOf(ValidationRule), 'Rules that the value must keep.', {
      listType: 'map',
      mapKeys: ['rule'],
      patch: { strategy: 'merge', key: 'rule' },
    }),
  },
);
