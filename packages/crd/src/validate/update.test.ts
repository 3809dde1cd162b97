// Updates: what must not change, and what is tolerated because it was there before.
import { fieldErrorMessage } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { changed, definition, establishedDefinition, version } from '../testing/definition.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../types.ts';
import { validateCrdStatusUpdate, validateCrdUpdate } from './crd.ts';

const old = establishedDefinition({ versions: [version('v1', { storage: true }), version('v2')] });
const refusals = (change: (crd: CustomResourceDefinition) => void, from = old) =>
  validateCrdUpdate(changed(from, change), from).map(fieldErrorMessage);
const label = ({ metadata }: CustomResourceDefinition) => void (metadata.labels = { a: 'b' });
const withSchema = (openAPIV3Schema: JSONSchemaProps, spec: Partial<CustomResourceDefinitionSpec> = {}) =>
  establishedDefinition({
    versions: [version('v1', { storage: true, schema: { openAPIV3Schema } })],
    ...spec,
  });

describe('what must not change', () => {
  it.each<[string, (crd: CustomResourceDefinition) => void, string]>([
    [
      'the scope',
      ({ spec }) => void (spec.scope = 'Cluster'),
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ],
    [
      'the kind',
      ({ spec }) => void (spec.names.kind = 'Gadget'),
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
    ],
    [
      'the group',
      ({ spec }) => void (spec.group = 'example.org'),
      'spec.group: Invalid value: "example.org": field is immutable',
    ],
    [
      'the plural',
      ({ spec }) => void (spec.names.plural = 'gadgets'),
      'spec.names.plural: Invalid value: "gadgets": field is immutable',
    ],
    [
      'a stored version, removed',
      ({ spec }) => void (spec.versions = [version('v2', { storage: true })]),
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
    ],
  ])('%s', (_, change, message) => {
    expect(refusals(change)[0]).toBe(message);
  });

  it('is less before the definition is established', () => {
    const young = definition();
    const change = ({ spec }: CustomResourceDefinition) =>
      void Object.assign(spec, { scope: 'Cluster', names: { ...spec.names, kind: 'Gadget' } });
    expect(refusals(change, young)).toEqual([]);
  });
});

describe('what was there before is tolerated', () => {
  const nonAtomicSet: JSONSchemaProps = {
    type: 'object',
    properties: {
      set: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'object', properties: { a: { type: 'string' } } },
      },
    },
  };
  const uncertainKey: JSONSchemaProps = {
    type: 'object',
    properties: {
      map: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      },
    },
  };
  const unprunedDefault: JSONSchemaProps = {
    type: 'object',
    properties: { a: { type: 'object', default: { b: 1 } } },
  };
  const expensiveRule: JSONSchemaProps = {
    type: 'object',
    properties: {
      a: {
        type: 'array',
        items: { type: 'array', items: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: 'self.all(x, x.all(y, y != "a"))' }],
      },
    },
  };

  it.each<[string, JSONSchemaProps]>([
    ['a set of objects that are not atomic', nonAtomicSet],
    ['keys that may be missing', uncertainKey],
    ['a default with unknown fields', unprunedDefault],
  ])('%s', (_, schema) => {
    expect(refusals(label, withSchema(schema))).toEqual([]);
    const introduced = ({ spec }: CustomResourceDefinition) =>
      void (spec.versions[0]!.schema = { openAPIV3Schema: schema });
    expect(refusals(introduced, withSchema({ type: 'object' }))).toHaveLength(1);
  });

  it('a rule that costs too much, as long as its schema is unchanged', () => {
    const crd = withSchema(expensiveRule);
    const single = (errors: string[]) =>
      errors.filter((text) => text.includes('estimated rule cost exceeds'));
    expect(single(refusals(label, crd))).toEqual([]);
    const touched = ({ spec }: CustomResourceDefinition) =>
      void (spec.versions[0]!.schema!.openAPIV3Schema!.description = 'new');
    expect(single(refusals(touched, crd))).toHaveLength(1);
  });

  it('a schema that is not structural, of a definition made by v1beta1', () => {
    const crd = withSchema({ type: 'object', properties: { a: {} } }, { preserveUnknownFields: true });
    expect(refusals(label, crd)).toEqual([]);
    const pruning = ({ spec }: CustomResourceDefinition) => void delete spec.preserveUnknownFields;
    expect(refusals(pruning, crd)).toEqual([
      'spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    ]);
  });

  it('types that do not exist', () => {
    const crd = withSchema(
      { type: 'object', properties: { a: { type: 'text' } } },
      { preserveUnknownFields: true },
    );
    expect(refusals(label, crd)).toEqual([]);
  });

  it('versions without a schema, as long as unknown fields are preserved', () => {
    const bare = establishedDefinition({
      versions: [{ name: 'v1', served: true, storage: true }],
      preserveUnknownFields: true,
    });
    expect(refusals(label, bare)).toEqual([]);
    const pruning = ({ spec }: CustomResourceDefinition) => void delete spec.preserveUnknownFields;
    expect(refusals(pruning, bare)).toEqual([
      'spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
    ]);
  });

  it('too many selectable fields', () => {
    const names = [...'abcdefghi'];
    const schema: JSONSchemaProps = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    };
    const crd = changed(withSchema(schema), ({ spec }) => {
      spec.versions[0]!.selectableFields = names.map((name) => ({ jsonPath: `.${name}` }));
    });
    const inOneOfTwo = changed(crd, ({ spec }) => void spec.versions.push(version('v2')));
    expect(refusals(label, crd)).toEqual([]);
    expect(refusals(label, inOneOfTwo)).toEqual([]);
    const reordered = ({ spec }: CustomResourceDefinition) =>
      void spec.versions[0]!.selectableFields!.reverse();
    expect(refusals(reordered, crd)).toEqual([
      'spec.selectableFields: Too many: 9: must have at most 8 items',
    ]);
  });

  it('a CA bundle and review versions', () => {
    const conversion = (caBundle: string, conversionReviewVersions: string[]) => ({
      strategy: 'Webhook',
      webhook: { conversionReviewVersions, clientConfig: { url: 'https://example.com', caBundle } },
    });
    expect(refusals(label, establishedDefinition({ conversion: conversion('AAAA', ['v9']) }))).toEqual([]);
    const spoil = ({ spec }: CustomResourceDefinition) => void (spec.conversion = conversion('AAAA', ['v9']));
    expect(refusals(spoil, establishedDefinition())).toEqual([
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "AAAA": unable to load root certificates: unable to parse bytes as PEM block',
      'spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ]);
  });
});

it('lets a status update set any stored versions, but not any names', () => {
  const pruned = changed(old, ({ status }) => void (status.storedVersions = ['v2']));
  expect(validateCrdStatusUpdate(pruned, old)).toEqual([]);
  const misnamed = changed(old, ({ status }) => void (status.acceptedNames.kind = 'A B'));
  expect(validateCrdStatusUpdate(misnamed, old).map(({ field }) => field)).toEqual([
    'status.acceptedNames.kind',
  ]);
});
