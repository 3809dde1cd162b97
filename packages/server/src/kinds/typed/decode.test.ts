import {
  atomicList,
  field,
  int32,
  intOrString,
  listOf,
  mapOf,
  pointer,
  required,
  string,
  struct,
  time,
} from '@instar/kinds';
import { describe, expect, it } from 'vitest';
import { configMaps } from '../builtin/config-map.ts';
import { leases } from '../builtin/lease.ts';
import { namespaces } from '../builtin/namespace.ts';
import { secrets } from '../builtin/secret.ts';
import { typedDecoder, zeroOf } from './decode.ts';

const decode = (definition: typeof configMaps, raw: unknown) => definition.versions[0]!.decode!(raw as never);
const Inner = struct('v1.Inner', '', {
  port: field(1, int32, '', { embeddedIn: 'Rule' }),
  any: field(2, intOrString, ''),
});
const Outer = struct('v1.Outer', '', {
  inner: field(3, listOf(Inner), ''),
  shown: required(4, listOf(string), ''),
  when: field(5, time, ''),
  maybe: pointer(6, string, ''),
  table: field(7, mapOf(Inner), ''),
  names: atomicList(8, string, ''),
});

describe('faults of wrong types', () => {
  const cases: [string, unknown, string][] = [
    [
      'a value of a map',
      { data: { x: 1 } },
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'a map',
      { data: 'x' },
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      'labels',
      { metadata: { labels: { a: true } } },
      'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'metadata',
      { metadata: 'x' },
      'json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      'a list',
      { metadata: { finalizers: 'x' } },
      'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string',
    ],
    [
      'an item',
      { metadata: { finalizers: [1] } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.finalizers of type string',
    ],
    [
      'a field of an item',
      { metadata: { ownerReferences: [{ controller: 'x' }] } },
      'json: cannot unmarshal string into Go struct field OwnerReference.metadata.ownerReferences.controller of type bool',
    ],
    [
      'a fraction',
      { metadata: { generation: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
    ],
    [
      'a named type',
      { metadata: { uid: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.uid of type types.UID',
    ],
    [
      'a time',
      { metadata: { creationTimestamp: 'yesterday' } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      'a time that is no text',
      { metadata: { creationTimestamp: 5 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
    ['bytes', { binaryData: { a: '%%' } }, 'illegal base64 data at input byte 0'],
    [
      'bytes that are no text',
      { binaryData: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ConfigMap.binaryData of type []uint8',
    ],
    ['the whole', [], 'json: cannot unmarshal array into Go value of type v1.ConfigMap'],
  ];
  it.each(cases)('have the text of Go in %s', (_what, raw, error) => {
    expect(decode(configMaps, raw)).toEqual({ error });
  });

  it('report the first in the document, but an invalid time before all', () => {
    const both = { data: { x: 1 }, immutable: 'x' };
    expect(decode(configMaps, both)).toEqual({
      error: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    });
    const late = { data: { x: 1 }, metadata: { creationTimestamp: '' } };
    expect(decode(configMaps, late)).toEqual({ error: expect.stringContaining('parsing time ""') });
  });

  it('name the embedded struct of a field', () => {
    expect(typedDecoder(Outer)({ inner: [{ port: 'x' }] })).toEqual({
      error: 'json: cannot unmarshal string into Go struct field Inner.inner.Rule.port of type int32',
    });
    expect(typedDecoder(Outer)({ inner: [{ any: true }] })).toEqual({
      error: 'json: cannot unmarshal bool into Go struct field Inner.inner.any of type int32',
    });
  });

  it('require six digits in a MicroTime', () => {
    expect(decode(leases, { spec: { renewTime: '2026-01-02T03:04:07Z' } })).toEqual({
      error:
        'parsing time "2026-01-02T03:04:07Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    });
  });
});

describe('the normal form', () => {
  const object = (definition: typeof configMaps, raw: unknown) =>
    (decode(definition, raw) as { object: unknown }).object;

  it('omits exactly the empty values that omitempty omits in Go', () => {
    const raw = {
      metadata: {
        name: 'a',
        labels: {},
        annotations: null,
        finalizers: [],
        generation: 0,
        creationTimestamp: null,
      },
      data: {},
      immutable: false,
    };
    expect(object(configMaps, raw)).toEqual({ metadata: { name: 'a' }, immutable: false });
    expect(object(configMaps, {})).toEqual({ metadata: {} });
  });

  it('shows structs, missing times and required lists', () => {
    expect(typedDecoder(Outer)({})).toEqual({ object: { shown: null, when: null }, unknownFields: [] });
    expect(
      typedDecoder(Outer)({ shown: [], maybe: '', table: { b: null, a: {} }, names: [null] }),
    ).toMatchObject({
      object: { shown: null, when: null, maybe: '', table: { a: { any: 0 }, b: { any: 0 } }, names: [''] },
    });
    expect(object(leases, {})).toEqual({ metadata: {}, spec: {} });
  });

  it('writes times in UTC and bytes in canonical base64', () => {
    const raw = {
      metadata: { creationTimestamp: '2026-01-02T03:04:05.9+02:00' },
      spec: { renewTime: '2026-01-02T03:04:05.000006+01:00' },
    };
    expect(object(leases, raw)).toEqual({
      metadata: { creationTimestamp: '2026-01-02T01:04:05Z' },
      spec: { renewTime: '2026-01-02T02:04:05.000006Z' },
    });
    expect(object(configMaps, { binaryData: { a: 'aG\nk=' } })).toMatchObject({ binaryData: { a: 'aGk=' } });
  });

  it('keeps keys that are special in JavaScript', () => {
    const raw = JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}');
    expect(JSON.stringify(object(configMaps, raw))).toBe(
      '{"metadata":{},"data":{"__proto__":"x","constructor":"y"}}',
    );
    expect(decode(configMaps, JSON.parse('{"constructor":1}'))).toMatchObject({
      unknownFields: ['constructor'],
    });
  });

  it('lists unknown fields in the order of the document', () => {
    const raw = { z: 1, metadata: { ownerReferences: [{ uid: 'a' }, { uid: 'b', x: 1 }] }, a: 2 };
    expect(decode(configMaps, raw)).toMatchObject({
      unknownFields: ['z', 'metadata.ownerReferences[1].x', 'a'],
    });
    expect(typedDecoder(Outer)({ table: { k: { y: 1 } } })).toMatchObject({ unknownFields: ['table.k.y'] });
  });

  it('shares nothing with the input', () => {
    const raw = { metadata: { name: 'a', labels: { a: 'b' } } };
    (object(configMaps, raw) as typeof raw).metadata.labels.a = 'c';
    expect(raw.metadata.labels.a).toBe('b');
  });

  it('merges stringData into data', () => {
    expect(
      object(secrets, { stringData: { user: 'u', pass: 'p' }, data: { user: 'eA==', z: 'eg==' } }),
    ).toEqual({
      metadata: {},
      data: { pass: 'cA==', user: 'dQ==', z: 'eg==' },
      type: 'Opaque',
    });
  });

  it('sets the defaults of a kind', () => {
    expect(object(namespaces, { metadata: { name: 'a' } })).toEqual({
      metadata: { name: 'a', labels: { 'kubernetes.io/metadata.name': 'a' } },
      spec: {},
      status: { phase: 'Active' },
    });
  });
});

describe('faults of base64', () => {
  it.each([
    ['a', 0],
    ['aGkx*', 4],
    ['aGk', 0],
    ['aGkxa', 4],
    ['a=', 1],
    ['aG=', 3],
    ['aG=a', 2],
    ['aGk=x', 4],
    ['=', 0],
    ['é', 0],
  ])('have the position of Go in %s', (value, at) => {
    expect(decode(secrets, { data: { x: value } })).toEqual({
      error: `illegal base64 data at input byte ${at}`,
    });
  });
});

describe('the blank object', () => {
  it('is the empty value of its type, without defaults', () => {
    expect(configMaps.versions[0]!.blank!()).toEqual({ metadata: {} });
    expect(namespaces.versions[0]!.blank!()).toEqual({ metadata: {}, spec: {}, status: {} });
    expect(zeroOf(Outer)).toEqual({ shown: null, when: null });
  });
});
