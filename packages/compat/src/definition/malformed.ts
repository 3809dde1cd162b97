// Removes the parts of a definition that have the wrong JSON type, so that rules can rely on the rest. An API
// server refuses such a definition; the check reports it and continues with what remains.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

type KeywordType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'strings'
  | 'values'
  | 'any'
  | 'schema'
  | 'schemas'
  | 'schema map'
  | 'schema or boolean'
  | 'rules'
  | 'object';

const KEYWORDS: Readonly<Record<string, KeywordType>> = {
  type: 'string',
  format: 'string',
  description: 'string',
  title: 'string',
  pattern: 'string',
  nullable: 'boolean',
  enum: 'values',
  maximum: 'number',
  minimum: 'number',
  multipleOf: 'number',
  exclusiveMaximum: 'boolean',
  exclusiveMinimum: 'boolean',
  maxLength: 'number',
  minLength: 'number',
  maxItems: 'number',
  minItems: 'number',
  maxProperties: 'number',
  minProperties: 'number',
  uniqueItems: 'boolean',
  required: 'strings',
  items: 'schema',
  properties: 'schema map',
  additionalProperties: 'schema or boolean',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  'x-kubernetes-preserve-unknown-fields': 'boolean',
  'x-kubernetes-embedded-resource': 'boolean',
  'x-kubernetes-int-or-string': 'boolean',
  'x-kubernetes-list-type': 'string',
  'x-kubernetes-list-map-keys': 'strings',
  'x-kubernetes-map-type': 'string',
  'x-kubernetes-validations': 'rules',
};

/** Changes `schema`; reports the paths of what it removed. */
export function removeMalformedInSchema(schema: JsonObject, path: string, faults: string[]): void {
  for (const key of Object.keys(schema)) {
    const shape = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key]! : 'any';
    if (!isWellFormed(schema[key]!, shape, `${path}.${key}`, faults)) {
      delete schema[key];
      faults.push(`${path}.${key}`);
    }
  }
}

function isWellFormed(value: JsonValue, shape: KeywordType, path: string, faults: string[]): boolean {
  switch (shape) {
    case 'any':
      return true;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'string':
    case 'boolean':
      return typeof value === shape;
    case 'object':
      return isJsonObject(value);
    case 'strings':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'values':
      return Array.isArray(value);
    case 'rules':
      return (
        Array.isArray(value) && value.every((one) => isJsonObject(one) && typeof one['rule'] === 'string')
      );
    case 'schema':
      return isWellFormedSchema(value, path, faults);
    case 'schema or boolean':
      return typeof value === 'boolean' || isWellFormedSchema(value, path, faults);
    case 'schemas':
      return (
        Array.isArray(value) &&
        value.every((one, index) => isWellFormedSchema(one, `${path}[${index}]`, faults))
      );
    case 'schema map':
      return (
        isJsonObject(value) &&
        Object.keys(value).every((name) => isWellFormedSchema(value[name]!, `${path}.${name}`, faults))
      );
  }
}

function isWellFormedSchema(value: JsonValue, path: string, faults: string[]): boolean {
  if (!isJsonObject(value)) return false;
  removeMalformedInSchema(value, path, faults);
  return true;
}

const VERSION: Readonly<Record<string, KeywordType>> = {
  name: 'string',
  served: 'boolean',
  storage: 'boolean',
  deprecated: 'boolean',
  deprecationWarning: 'string',
  schema: 'object',
  subresources: 'object',
};
const NAMES: Readonly<Record<string, KeywordType>> = {
  plural: 'string',
  kind: 'string',
  singular: 'string',
  listKind: 'string',
  shortNames: 'strings',
  categories: 'strings',
};

/** Of a definition in v1 or v1beta1, except schemas: changes `spec`. */
export function removeMalformedInSpec(spec: JsonObject, faults: string[]): void {
  if (isJsonObject(spec['names'])) removeMalformedIn(spec['names'], NAMES, 'spec.names', faults);
  removeMalformedIn(
    spec,
    {
      group: 'string',
      scope: 'string',
      version: 'string',
      conversion: 'object',
      validation: 'object',
      subresources: 'object',
      preserveUnknownFields: 'boolean',
    },
    'spec',
    faults,
  );
  for (const list of ['additionalPrinterColumns', 'selectableFields'])
    removeNonObjects(spec, list, 'spec', faults);
  removeNonObjects(spec, 'versions', 'spec', faults);
  for (const version of (spec['versions'] ?? []) as JsonObject[]) {
    removeMalformedIn(version, VERSION, 'spec.versions', faults);
    for (const list of ['additionalPrinterColumns', 'selectableFields'])
      removeNonObjects(version, list, 'spec.versions', faults);
  }
  if (Array.isArray(spec['versions']))
    spec['versions'] = spec['versions'].filter(
      (version) => isJsonObject(version) && typeof version['name'] === 'string',
    );
}

function removeMalformedIn(
  object: JsonObject,
  shapes: Readonly<Record<string, KeywordType>>,
  path: string,
  faults: string[],
): void {
  for (const key of Object.keys(shapes)) {
    if (!Object.hasOwn(object, key) || isWellFormed(object[key]!, shapes[key]!, path, faults)) continue;
    delete object[key];
    faults.push(`${path}.${key}`);
  }
}

function removeNonObjects(object: JsonObject, key: string, path: string, faults: string[]): void {
  const value = object[key];
  if (value === undefined || (Array.isArray(value) && value.every(isJsonObject))) return;
  faults.push(`${path}.${key}`);
  if (Array.isArray(value)) object[key] = value.filter(isJsonObject);
  else delete object[key];
}
