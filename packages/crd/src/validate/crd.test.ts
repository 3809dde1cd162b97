// One error at a time. The recordings (../recordings.test.ts) have many more; these cover each area where
// recordings are missing.
import { fieldErrorMessage } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { changed, definition, version } from '../testing/definition.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../types.ts';
import { validateCrdCreate, validateCrdCreateInSteps, validateCrdUpdateInSteps } from './crd.ts';

const messages = (crd: CustomResourceDefinition) => validateCrdCreate(crd).map(fieldErrorMessage);
const withSchema = (openAPIV3Schema: JSONSchemaProps, spec: Partial<CustomResourceDefinitionSpec> = {}) =>
  definition({ versions: [version('v1', { storage: true, schema: { openAPIV3Schema } })], ...spec });
const withValue = (value: JSONSchemaProps) =>
  withSchema({ type: 'object', properties: { spec: { type: 'object', properties: { value } } } });
const VALUE = 'spec.validation.openAPIV3Schema.properties[spec].properties[value]';

it('accepts a valid definition', () => {
  expect(validateCrdCreate(definition())).toEqual([]);
});

describe('names and versions', () => {
  it.each<[string, (crd: CustomResourceDefinition) => void, string]>([
    [
      'another name',
      ({ metadata }) => void (metadata.name = 'x.example.com'),
      'metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group',
    ],
    [
      'a scope in small letters',
      ({ spec }) => void (spec.scope = 'cluster'),
      'spec.scope: Unsupported value: "cluster": supported values: "Cluster", "Namespaced"',
    ],
    [
      'kind and listKind the same',
      ({ spec }) => void (spec.names.listKind = 'Widget'),
      'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
    ],
    ['no kind', ({ spec }) => void (spec.names.kind = ''), 'spec.names.kind: Required value'],
    [
      'a version without a schema',
      ({ spec }) => void delete spec.versions[0]!.schema,
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'preserveUnknownFields',
      ({ spec }) => void (spec.preserveUnknownFields = true),
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
    [
      'a warning on a version that is not deprecated',
      ({ spec }) => void (spec.versions[0]!.deprecationWarning = 'x'),
      'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
    ],
  ])('%s', (_, spoil, message) => {
    expect(messages(changed(definition(), spoil))).toEqual([message]);
  });

  it('prints versions as the structs they are upstream', () => {
    const versions = [version('v1', { storage: true }), version('v1')];
    const [first] = messages(definition({ versions }));
    const shown = (storage: boolean) =>
      `{"Name":"v1","Served":true,"Storage":${storage},"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}`;
    expect(first).toBe(
      `spec.versions: Invalid value: [${shown(true)},${shown(false)}]: must contain unique version names`,
    );
  });

  it('names the version of an error only if versions differ', () => {
    const faulty = { openAPIV3Schema: { type: 'object', properties: { a: {} } } };
    const detail = 'properties[a].type: Required value: must not be empty for specified object fields';
    const same = [version('v1', { storage: true, schema: faulty }), version('v2', { schema: faulty })];
    expect(messages(definition({ versions: same }))).toEqual([`spec.validation.openAPIV3Schema.${detail}`]);
    const other = [version('v1', { storage: true }), version('v2', { schema: faulty })];
    expect(messages(definition({ versions: other }))).toEqual([
      `spec.versions[1].schema.openAPIV3Schema.${detail}`,
    ]);
  });
});

describe('schemas', () => {
  it.each<[string, JSONSchemaProps, string[]]>([
    [
      'a type that does not exist',
      { type: 'text' },
      [
        '.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [
      'uniqueItems',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      [
        '.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    ],
    ['a $ref, told once', { type: 'object', $ref: '#/x' }, ['.$ref: Forbidden: $ref is not supported']],
    [
      'properties and additionalProperties',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      ['.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      'a default of another type',
      { type: 'integer', default: 'x' },
      ['.default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      'a default with unknown fields',
      { type: 'object', default: { a: 1 } },
      ['.default: Invalid value: {"a":1}: must not have unknown fields'],
    ],
    [
      'a list type on an object',
      { type: 'object', 'x-kubernetes-list-type': 'set' },
      ['.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified'],
    ],
    [
      'an empty rule',
      { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] },
      ['.x-kubernetes-validations[0].rule: Required value: rule is not specified'],
    ],
    [
      'a rule that gives no boolean',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self' }] },
      [
        '.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
      ],
    ],
  ])('%s', (_, value, expected) => {
    expect(messages(withValue(value))).toEqual(expected.map((text) => `${VALUE}${text}`));
  });

  it('does not check rules if the schema below them is invalid', () => {
    const value: JSONSchemaProps = { type: 'array', uniqueItems: true, items: { type: 'string' } };
    const crd = withSchema({
      type: 'object',
      properties: { value },
      'x-kubernetes-validations': [{ rule: 'nonsense(' }],
    });
    expect(validateCrdCreate(crd).map(({ field }) => field)).toEqual([
      'spec.validation.openAPIV3Schema.properties[value].uniqueItems',
    ]);
  });

  it('restricts the root schema if there is a status subresource', () => {
    const crd = changed(withSchema({ type: 'object', maxProperties: 3 }), ({ spec }) => {
      spec.versions[0]!.subresources = { status: {} };
    });
    const [error] = validateCrdCreate(crd);
    expect(error).toMatchObject({ field: 'spec.validation.openAPIV3Schema', type: 'FieldValueInvalid' });
    expect(error?.valueText).toContain('"MaxProperties":3,"MinProperties":null,');
    expect(error?.detail).toMatch(/^only \[Description Type Format .* XValidations\] fields are allowed/);
  });

  it('forbids defaults in metadata', () => {
    const crd = withSchema({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
    });
    expect(messages(crd)).toContain(
      'spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    );
  });
});

describe('columns, subresources and selectable fields', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
  };
  const crd = withSchema(schema);
  const fields = (...paths: string[]) => ({ selectableFields: paths.map((jsonPath) => ({ jsonPath })) });

  it.each([
    [
      'a column',
      { additionalPrinterColumns: [{ name: 'Size', type: 'text', jsonPath: 'spec.size' }] },
      [
        'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.size": must be a simple json path starting with .',
      ],
    ],
    [
      'scale',
      { subresources: { scale: { specReplicasPath: '.spec', statusReplicasPath: '' } } },
      [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".spec": should be a json path under .spec',
        'spec.subresources.scale.statusReplicasPath: Required value',
      ],
    ],
    [
      'a field that does not exist',
      fields('.spec.color'),
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.color": is an invalid path: does not refer to a valid field',
      ],
    ],
    [
      'a field that is a list',
      fields('.spec.tags'),
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.tags": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ],
    ],
    [
      'a path that ends early',
      fields('.spec.'),
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.": is an invalid path: unexpected end of JSON path',
      ],
    ],
    [
      'a field twice',
      fields('.spec.size', '.spec.size'),
      ['spec.selectableFields[1].jsonPath: Duplicate value: ".spec.size"'],
    ],
  ])('%s', (_, more, expected) => {
    const spoilt = changed(crd, ({ spec }) => {
      Object.assign(spec.versions[0]!, more);
    });
    expect(messages(spoilt)).toEqual(expected);
  });
});

describe('conversion', () => {
  const webhook = (clientConfig: object | undefined, conversionReviewVersions = ['v1']) => ({
    strategy: 'Webhook',
    webhook: { ...(clientConfig && { clientConfig }), conversionReviewVersions },
  });

  it.each([
    ['a URL', webhook({ url: 'https://example.com/convert' }), []],
    [
      'a CA bundle that is none, before the definition is established',
      webhook({ url: 'https://example.com', caBundle: 'AAAA' }),
      [],
    ],
    [
      'neither URL nor service',
      webhook({}),
      ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'no client configuration',
      webhook(undefined),
      ['spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook'],
    ],
    [
      'review versions that nobody speaks',
      webhook({ url: 'https://example.com' }, ['v9']),
      [
        'spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'a webhook without the strategy',
      { ...webhook({ url: 'https://example.com' }, []), strategy: 'None' },
      [
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
  ])('%s', (_, conversion, expected) => {
    expect(messages(definition({ conversion }))).toEqual(expected);
  });
});

describe('validation in steps', () => {
  const crd = definition({
    versions: ['v1', 'v2', 'v3'].map((name) =>
      version(name, {
        storage: name === 'v1',
        schema: {
          openAPIV3Schema: { type: 'object', description: name, properties: { '': { type: 'no' } } },
        },
      }),
    ),
  });
  /** How often it stops, and what it returns. */
  function run<T>(steps: Generator<undefined, T>): { readonly stops: number; readonly result: T } {
    for (let stops = 0; ; stops++) {
      const { done, value } = steps.next();
      if (done) return { stops, result: value };
    }
  }

  it('stops several times for each version, and finds the same', () => {
    const { stops, result } = run(validateCrdCreateInSteps(crd));
    expect(result).toEqual(validateCrdCreate(crd));
    expect(result.length).toBeGreaterThan(0);
    expect(stops).toBeGreaterThan(3 * crd.spec.versions.length);
  });

  it('stops as often for an update', () => {
    const { stops } = run(validateCrdUpdateInSteps(crd, crd));
    expect(stops).toBeGreaterThan(3 * crd.spec.versions.length);
  });
});
