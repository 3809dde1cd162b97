import { describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';

const keep: JSONSchemaProps = { type: 'object', properties: { keep: { type: 'string' } } };
const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true } as const;
const schema = compileSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        keep: { type: 'string' },
        rows: { type: 'array', items: keep },
        table: { type: 'object', additionalProperties: keep },
        open: { ...keep, ...PRESERVE, properties: { known: keep } },
        openRows: { type: 'array', ...PRESERVE, items: { type: 'object', properties: { known: keep } } },
        any: PRESERVE,
        maybe: { type: 'string', nullable: true },
        defaulted: { type: 'string', default: 'x' },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: keep } },
      },
    },
  },
});

describe('prune', () => {
  it('returns the removed paths of every depth, sorted', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'A',
      metadata: { anything: 1 },
      extra: 1,
      spec: { z: 1, a: 2, rows: [{ keep: 'a' }, { drop: 1 }], table: { 'a.b': { drop: 1 } } },
    };
    expect(schema.prune(object)).toEqual([
      'extra',
      'spec.a',
      'spec.rows[1].drop',
      'spec.table.a.b.drop',
      'spec.z',
    ]);
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'A',
      metadata: { anything: 1 },
      spec: { rows: [{ keep: 'a' }, {}], table: { 'a.b': {} } },
    });
  });

  it('keeps preserved fields but prunes below specified ones', () => {
    const object = {
      spec: {
        open: { extra: { deep: 1 }, known: { keep: 'a', drop: 1 } },
        openRows: [{ extra: 1, known: { drop: 1 } }],
        any: { a: [{ b: null }] },
      },
    };
    expect(schema.prune(object)).toEqual(['spec.open.known.drop', 'spec.openRows[0].known.drop']);
    expect(object.spec).toEqual({
      open: { extra: { deep: 1 }, known: { keep: 'a' } },
      openRows: [{ extra: 1, known: {} }],
      any: { a: [{ b: null }] },
    });
  });

  it('drops nulls that mean "not set" without reporting them', () => {
    const object = { spec: { keep: null, maybe: null, defaulted: null, table: { a: null }, unknown: null } };
    expect(schema.prune(object)).toEqual(['spec.unknown']);
    expect(object).toEqual({ spec: { maybe: null, defaulted: null, table: {} } });
  });

  it('treats names of inherited properties like any other', () => {
    const object = JSON.parse('{"spec":{"constructor":1,"__proto__":{"a":1},"keep":"a"}}');
    expect(schema.prune(object)).toEqual(['spec.__proto__', 'spec.constructor']);
    expect(JSON.stringify(object)).toBe('{"spec":{"keep":"a"}}');
  });
});

it('prune leaves nulls that it is asked to leave', () => {
  const object = { spec: { keep: null, rows: [{ keep: null, drop: null }] } };
  expect(schema.prune(object, { keepsNulls: true })).toEqual(['spec.rows[0].drop']);
  expect(object).toEqual({ spec: { keep: null, rows: [{ keep: null }] } });
});

describe('embedded resources', () => {
  it('keep their type and the known fields of metadata', () => {
    const object = {
      spec: {
        template: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'a', drop: 1, creationTimestamp: null, labels: {} },
          drop: 1,
        },
      },
    };
    expect(schema.prune(object)).toEqual(['spec.template.drop', 'spec.template.metadata.drop']);
    expect(object.spec.template).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
  });

  it('are a fault in requests if they do not decode, but are repaired in stored objects', () => {
    const object = {
      spec: { template: { apiVersion: 'v1', kind: 5, metadata: { name: 'a', labels: { a: 1 } } } },
    };
    expect(schema.embeddedFault(object)).toMatchObject({
      field: 'spec.template.kind',
      detail: 'must be a string',
    });
    expect(schema.prune(object)).toEqual([]);
    expect(object.spec.template.kind).toBe(5);
    schema.prune(object, { dropMalformed: true });
    expect(object).toEqual({ spec: { template: { apiVersion: 'v1', metadata: { name: 'a' } } } });
  });
});
