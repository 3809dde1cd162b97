import type { JsonObject } from '@instar/machinery';
import { compileSchema } from '@instar/schema';
import { expect, it } from 'vitest';
import { DICE } from '../generate/dice-arbitrary.ts';
import { sample } from '../generate/sample.ts';
import type { ProofVersion } from '../subject.ts';
import { applyEdit, describeEdit, type Edit } from './edit.ts';
import { makeEdit } from './make-edit.ts';

const object = (): JsonObject => ({ spec: { a: 1, list: ['x', 'y'] } });

it.each<[Edit, JsonObject, string]>([
  [
    { kind: 'set', place: ['spec', 'b'], value: {} },
    { a: 1, list: ['x', 'y'], b: {} },
    'spec.b was set to {}',
  ],
  [{ kind: 'remove', place: ['spec', 'list', 0] }, { a: 1, list: ['y'] }, 'spec.list[0] was removed'],
  [
    { kind: 'append', place: ['spec', 'list'], value: 'z' },
    { a: 1, list: ['x', 'y', 'z'] },
    '"z" was appended to spec.list',
  ],
  [
    { kind: 'swap', place: ['spec', 'list'], first: 0, second: 1 },
    { a: 1, list: ['y', 'x'] },
    'items 0 and 1 of spec.list were swapped',
  ],
])('edit %#', (edit, spec, text) => {
  const edited = object();
  expect([applyEdit(edited, edit), edited['spec'], describeEdit(edit)]).toEqual([true, spec, text]);
});

it.each<Edit>([
  { kind: 'set', place: ['status', 'x'], value: 1 },
  { kind: 'remove', place: ['spec', 'b'] },
  { kind: 'append', place: ['spec', 'a'], value: 1 },
  { kind: 'swap', place: ['spec', 'list'], first: 0, second: 2 },
])('%j does not fit, and changes nothing', (edit) => {
  const edited = object();
  expect([applyEdit(edited, edit), edited]).toEqual([false, object()]);
});

it('random edits cover exactly what a client may edit', () => {
  const spec = {
    type: 'object',
    properties: { a: { type: 'integer' }, list: { type: 'array', items: { type: 'string' } } },
  };
  const schema = compileSchema({ type: 'object', properties: { spec } });
  const version: ProofVersion = {
    name: 'v1',
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    namespaced: true,
    schema,
  };
  const given = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'x', annotations: { stash: '1', mine: '2' } },
    ...object(),
  };
  const edits = Array.from(
    { length: 300 },
    (_, seed) => makeEdit(given, version, new Set(['stash']), sample(DICE, 1, seed)[0]!)!.edit,
  );
  expect(new Set(edits.map(({ kind }) => kind))).toEqual(new Set(['set', 'remove', 'append', 'swap']));
  const places = new Set(edits.map(({ place }) => place.join('/')));
  for (const place of [
    'spec',
    'spec/a',
    'spec/list',
    'spec/list/1',
    'metadata/annotations/mine',
    'metadata/labels',
  ])
    expect(places).toContain(place);
  for (const place of places)
    expect(place).not.toMatch(/^(apiVersion|kind|metadata\/name|metadata\/annotations\/stash)/);
});
