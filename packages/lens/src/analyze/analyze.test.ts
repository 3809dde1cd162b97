// What the analysis finds out from the schemas alone.
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import type { LensOp } from '../document.ts';
import { lensOf } from '../testing/lens-of.ts';
import { analyze } from './analyze.ts';

const string: JSONSchemaProps = { type: 'string' };
const integer: JSONSchemaProps = { type: 'integer' };
const object = (properties: Record<string, JSONSchemaProps>, required: string[] = []): JSONSchemaProps => ({
  type: 'object',
  properties,
  required,
});
const list = (items: JSONSchemaProps): JSONSchemaProps => ({ type: 'array', items });
const root = (spec: JSONSchemaProps): JSONSchemaProps =>
  object({ apiVersion: string, metadata: { type: 'object' }, spec }, ['spec']);

function analyzed(left: JSONSchemaProps, right: JSONSchemaProps, ...ops: LensOp[]) {
  const analysis = analyze(
    lensOf(...ops),
    new Map([
      ['v1', root(left)],
      ['v2', root(right)],
    ]),
  );
  const of = (...severities: string[]): string[] =>
    analysis.findings
      .filter(({ severity }) => severities.includes(severity))
      .map(({ kind, from, path }) => `${kind} ${from} ${path}`);
  return { ...analysis, errors: of('error'), warnings: of('warning'), all: of('error', 'warning', 'info') };
}

describe('fields that no operation mentions', () => {
  it('are carried over if both versions have them', () => {
    expect(analyzed(object({ a: string }), object({ a: string })).all).toEqual([
      'carried v1 spec',
      'carried v2 spec',
    ]);
  });

  it('are missing if only one has them, unless it preserves unknown fields', () => {
    const { errors, isComplete } = analyzed(object({ a: string }), object({ b: string }));
    expect(errors).toEqual(['missing v1 spec.a', 'missing v2 spec.b']);
    expect(isComplete).toBe(false);
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    // Into it everything is carried; out of it only what the other version has.
    expect(analyzed(object({ a: string }), open).errors).toEqual(['missing v2 spec']);
  });

  it('are reported if the other version prunes what this one preserves', () => {
    const open = { ...object({ a: string }), 'x-kubernetes-preserve-unknown-fields': true };
    expect(analyzed(open, object({ a: string })).errors).toEqual(['missing v1 spec']);
    const anything = { 'x-kubernetes-preserve-unknown-fields': true };
    expect(analyzed(object({ a: anything }), object({ a: string })).errors).toEqual(['type v1 spec.a']);
  });

  it('must have the same type', () => {
    expect(analyzed(object({ a: string }), object({ a: integer })).errors).toEqual([
      'type v1 spec.a',
      'type v2 spec.a',
    ]);
    expect(
      analyzed(object({ a: string }), object({ a: integer }), {
        cast: { path: 'spec.a', from: 'string', to: 'integer' },
      }).errors,
    ).toEqual([]);
  });

  it('cause a warning if the other version allows less, or has a default', () => {
    const enumerated = { type: 'string', enum: ['a'] };
    expect(analyzed(object({ a: string }), object({ a: enumerated })).warnings).toEqual([
      'narrower v1 spec.a',
    ]);
    expect(analyzed(object({ a: string }), object({ a: { type: 'string', default: 'x' } })).warnings).toEqual(
      ['lossy v1 spec.a'],
    );
  });
});

describe('required fields', () => {
  it('are proved if they are carried over, renamed or added', () => {
    const { proofs, errors } = analyzed(
      object({ a: string, b: object({ c: string }, ['c']) }, ['a', 'b']),
      object({ x: string, b: object({ c: string }, ['c']), n: integer }, ['x', 'b', 'n']),
      { rename: { from: 'spec.a', to: 'spec.x' } },
      { add: { path: 'spec.n', default: 1 } },
    );
    expect(errors).toEqual([]);
    const forward = proofs.filter(({ to }) => to === 'v2').map(({ path, because }) => `${path}: ${because}`);
    expect(forward).toContain('spec.x: rename spec.a → spec.x always gives it a value');
    expect(forward).toContain('spec.b.c: it is required here too');
    expect(forward).toContain('spec.n: add spec.n always gives it a value');
  });

  it('are errors if nothing gives them a value', () => {
    expect(analyzed(object({ a: string }), object({ a: string }, ['a'])).errors).toEqual([
      'required v1 spec.a',
    ]);
    expect(
      analyzed(object({ a: string }), object({ a: string }, ['a']), {
        default: { path: 'spec.a', value: 'x' },
      }).errors,
    ).toEqual([]);
    expect(analyzed(object({}), object({ n: integer }, ['n']), { add: { path: 'spec.n' } }).errors).toEqual([
      'required v1 spec.n',
    ]);
  });

  it('are not certain after a split, unless too few parts are refused', () => {
    const [left, right] = [object({ hp: string }, ['hp']), object({ h: string, p: string }, ['h', 'p'])];
    const split = { from: 'spec.hp', separator: ':', to: ['spec.h', 'spec.p'] };
    expect(analyzed(left, right, { split }).errors).toEqual(['required v1 spec.p']);
    expect(analyzed(left, right, { split: { ...split, missing: 'error' } }).errors).toEqual([]);
  });
});

describe('operations', () => {
  it('are distinguished by what they lose', () => {
    const { findings } = analyzed(
      object({ a: string, bar: integer }),
      object({ bars: list(integer) }),
      { remove: { path: 'spec.a' } },
      { wrap: { from: 'spec.bar', to: 'spec.bars' } },
    );
    expect(
      findings.filter(({ kind }) => kind === 'lossy').map(({ from, path, op }) => `${from} ${path} ${op}`),
    ).toEqual(['v1 spec.a remove spec.a', 'v2 spec.bars wrap spec.bar → spec.bars']);
  });

  it('must name existing fields, of a type that they can read', () => {
    expect(
      analyzed(object({ a: string }), object({ a: string }), { rename: { from: 'spec.nope', to: 'spec.x' } })
        .errors,
    ).toContain('unknown-field v1 spec.nope');
    expect(
      analyzed(object({ a: integer }), object({ x: string, y: string }), {
        split: { from: 'spec.a', separator: ':', to: ['spec.x', 'spec.y'] },
      }).errors,
    ).toContain('type v1 spec.a');
  });

  it('must map every value that the schema allows', () => {
    const values = [{ from: 'a', to: 'x' }];
    const [left, right] = [
      object({ e: { type: 'string', enum: ['a', 'b'] } }),
      object({ e: { type: 'string', enum: ['x', 'b'] } }),
    ];
    expect(analyzed(left, right, { map: { path: 'spec.e', values } }).errors).toEqual([
      'type v1 spec.e',
      'type v2 spec.e',
    ]);
    expect(analyzed(left, right, { map: { path: 'spec.e', values, unknown: 'keep' } }).errors).toEqual([]);
  });

  it('are read inside lists, maps and conditions', () => {
    const left = object({
      items: list(object({ a: string }, ['a'])),
      m: { type: 'object', additionalProperties: object({ a: string }) },
      type: string,
      r: integer,
    });
    const right = object({
      items: list(object({ b: string }, ['b'])),
      m: { type: 'object', additionalProperties: object({ b: string }) },
      type: string,
      r: integer,
      s: integer,
    });
    const { errors } = analyzed(
      left,
      right,
      { rename: { from: 'spec.items[*].a', to: 'spec.items[*].b' } },
      { perValue: { path: 'spec.m', ops: [{ rename: { from: 'a', to: 'b' } }] } },
      {
        when: {
          left: { path: 'spec.type', equals: 'x' },
          ops: [{ rename: { from: 'spec.r', to: 'spec.s' } }],
          otherwise: [{ add: { path: 'spec.s' } }],
        },
      },
    );
    expect(errors).toEqual([]);
  });
});

it('lists versions without a schema', () => {
  expect(analyze(lensOf(), new Map()).withoutSchema).toEqual(['v1', 'v2']);
});
