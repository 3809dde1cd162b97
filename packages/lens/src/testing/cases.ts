// Every operation with objects that fit it, for laws.
import type { JsonObject } from '@instar/machinery';
import fc from 'fast-check';
import type { LensOp } from '../document.ts';

type SpecArbitrary = fc.Arbitrary<JsonObject>;

const word = fc.stringMatching(/^[a-z]{0,3}$/);
const optional = (fields: Record<string, fc.Arbitrary<unknown>>): SpecArbitrary =>
  fc.record(fields, { requiredKeys: [] }) as SpecArbitrary;
const scalar = fc.oneof(word, fc.integer({ min: 0, max: 9 }), fc.boolean());
const tls = optional({ host: word, mode: word });

/** The content of `left` and `right`: whatever their schemas would allow. */
export interface Case {
  readonly ops: LensOp[];
  readonly left: SpecArbitrary;
  readonly right: SpecArbitrary;
}

export const cases: Record<string, Case> = {
  rename: {
    ops: [{ rename: { from: 'spec.a', to: 'spec.b' } }],
    left: optional({ a: scalar, z: scalar }),
    right: optional({ b: scalar, z: scalar }),
  },
  'rename onto a field that both have': {
    ops: [{ rename: { from: 'spec.a', to: 'spec.b' } }],
    left: optional({ a: scalar, b: scalar }),
    right: optional({ a: scalar, b: scalar }),
  },
  move: {
    ops: [{ move: { from: 'spec.tls.host', to: 'spec.target.server.host' } }],
    left: optional({ tls: fc.option(tls) }),
    right: optional({
      tls: optional({ mode: word }),
      target: optional({ server: fc.option(optional({ host: word, x: scalar })) }),
    }),
  },
  hoist: {
    ops: [{ hoist: { from: 'spec.tls.host' } }],
    left: optional({ tls }),
    right: optional({ tls: optional({ mode: word }), host: word }),
  },
  plunge: {
    ops: [{ plunge: { from: 'spec.host', into: 'spec.tls' } }],
    left: optional({ tls: optional({ mode: word }), host: word }),
    right: optional({ tls }),
  },
  add: {
    ops: [{ add: { path: 'spec.mode', default: 'Auto' } }],
    left: optional({ a: scalar }),
    right: optional({ a: scalar, mode: fc.constantFrom('Auto', 'Manual') }),
  },
  'add in an object that may be missing': {
    ops: [{ add: { path: 'spec.tls.port', default: 443 } }],
    left: optional({ tls }),
    right: optional({ tls: optional({ host: word, port: fc.constantFrom(443, 80) }) }),
  },
  remove: {
    ops: [{ remove: { path: 'spec.tls.mode', default: 'x' } }],
    left: optional({ tls }),
    right: optional({ tls: optional({ host: word }) }),
  },
  'remove a whole object': {
    ops: [{ remove: { path: 'spec.tls' } }],
    left: optional({ tls, a: scalar }),
    right: optional({ a: scalar }),
  },
  'remove, belonging to another field': {
    ops: [{ remove: { path: 'spec.a', belongsTo: ['spec.b'] } }],
    left: optional({ a: scalar, b: scalar }),
    right: optional({ b: scalar }),
  },
  wrap: {
    ops: [{ wrap: { from: 'spec.bar', to: 'spec.bars' } }],
    left: optional({ bar: scalar }),
    right: optional({ bars: fc.array(scalar, { maxLength: 3 }) }),
  },
  'wrap in place': {
    ops: [{ wrap: { from: 'spec.bar', to: 'spec.bar' } }],
    left: optional({ bar: scalar }),
    right: optional({ bar: fc.array(scalar, { maxLength: 3 }) }),
  },
  head: {
    ops: [{ head: { from: 'spec.bars', to: 'spec.bar' } }],
    left: optional({ bars: fc.array(scalar, { maxLength: 3 }) }),
    right: optional({ bar: scalar }),
  },
  box: {
    ops: [{ box: { from: 'spec.names[*]', as: 'name' } }],
    left: optional({ names: fc.array(word, { maxLength: 3 }) }),
    right: optional({ names: fc.array(optional({ name: word, kind: word }), { maxLength: 3 }) }),
  },
  unbox: {
    ops: [{ unbox: { from: 'spec.ref', to: 'spec.name', field: 'name' } }],
    left: optional({ ref: optional({ name: word, kind: word }) }),
    right: optional({ name: word }),
  },
  split: {
    ops: [{ split: { from: 'spec.hostPort', separator: ':', to: ['spec.host', 'spec.port'] } }],
    left: optional({ hostPort: fc.stringMatching(/^[a:]{0,4}$/) }),
    right: optional({ host: fc.stringMatching(/^[a:]{0,3}$/), port: word }),
  },
  'split at the last': {
    ops: [{ split: { from: 'spec.s', separator: ':', to: ['spec.x', 'spec.y', 'spec.z'], at: 'last' } }],
    left: optional({ s: fc.stringMatching(/^[a:]{0,6}$/) }),
    right: optional({ x: fc.stringMatching(/^[a:]{0,3}$/), y: word, z: word }),
  },
  join: {
    ops: [{ join: { from: ['spec.host', 'spec.port'], separator: ':', to: 'spec.hostPort' } }],
    left: optional({ host: word, port: word }),
    right: optional({ hostPort: fc.stringMatching(/^[a:]{0,4}$/) }),
  },
  'map a boolean': {
    ops: [
      {
        map: {
          path: 'spec.on',
          values: [
            { from: true, to: 'Enabled' },
            { from: false, to: 'Disabled' },
          ],
        },
      },
    ],
    left: optional({ on: fc.boolean() }),
    right: optional({ on: fc.constantFrom('Enabled', 'Disabled') }),
  },
  'map, many to one, with unknown values': {
    ops: [
      {
        map: {
          path: 'spec.e',
          values: [
            { from: 'a', to: 'x' },
            { from: 'b', to: 'x' },
          ],
          unknown: { forward: { value: 'other' }, backward: 'keep' },
        },
      },
    ],
    left: optional({ e: fc.constantFrom('a', 'b', 'c', 'd') }),
    right: optional({ e: fc.constantFrom('x', 'y', 'other') }),
  },
  cast: {
    ops: [{ cast: { path: 'spec.port', from: 'string', to: 'integer', otherwise: { forward: 0 } } }],
    left: optional({ port: fc.constantFrom('80', '080', '+1', 'http', '', '9223372036854775807') }),
    right: optional({ port: fc.integer() }),
  },
  'cast a boolean': {
    ops: [{ cast: { path: 'spec.on', from: 'boolean', to: 'string' } }],
    left: optional({ on: fc.boolean() }),
    right: optional({ on: fc.constantFrom('true', 'false') }),
  },
  keyBy: {
    ops: [{ keyBy: { from: 'spec.list', to: 'spec.map', key: 'name' } }],
    left: optional({
      list: fc.uniqueArray(fc.record({ name: word, x: scalar }), {
        selector: ({ name }) => name,
        maxLength: 3,
      }),
    }),
    right: optional({ map: fc.dictionary(word, optional({ x: scalar }), { maxKeys: 3 }) }),
  },
  entries: {
    ops: [{ entries: { from: 'spec.m', key: 'name' } }],
    left: optional({ m: fc.dictionary(word, optional({ x: scalar }), { maxKeys: 3 }) }),
    right: optional({
      m: fc.uniqueArray(fc.record({ name: word, x: scalar }), { selector: ({ name }) => name, maxLength: 3 }),
    }),
  },
  each: {
    ops: [
      {
        each: {
          path: 'spec.items',
          keys: ['id'],
          ops: [
            { rename: { from: 'a', to: 'b' } },
            { remove: { path: 'old' } },
            { add: { path: 'neu', default: 1 } },
          ],
        },
      },
    ],
    left: optional({
      items: fc.uniqueArray(fc.record({ id: word, a: scalar, old: scalar }, { requiredKeys: ['id'] }), {
        selector: ({ id }) => id,
        maxLength: 3,
      }),
    }),
    right: optional({
      items: fc.uniqueArray(fc.record({ id: word, b: scalar, neu: scalar }, { requiredKeys: ['id'] }), {
        selector: ({ id }) => id,
        maxLength: 3,
      }),
    }),
  },
  'wildcards in lists without keys': {
    ops: [
      { remove: { path: 'spec.items[*].old' } },
      { wrap: { from: 'spec.items[*].p', to: 'spec.items[*].ps' } },
    ],
    left: optional({ items: fc.array(optional({ p: scalar, old: scalar, a: scalar }), { maxLength: 4 }) }),
    right: optional({
      items: fc.array(optional({ ps: fc.array(scalar, { maxLength: 2 }), a: scalar }), { maxLength: 4 }),
    }),
  },
  'lists in lists': {
    ops: [
      { cast: { path: 'spec.rows[*].cells[*]', from: 'string', to: 'integer', otherwise: { forward: 0 } } },
    ],
    left: optional({
      rows: fc.array(optional({ cells: fc.array(fc.constantFrom('1', '01', 'x'), { maxLength: 3 }) }), {
        maxLength: 3,
      }),
    }),
    right: optional({
      rows: fc.array(optional({ cells: fc.array(fc.nat(9), { maxLength: 3 }) }), { maxLength: 3 }),
    }),
  },
  perValue: {
    ops: [
      {
        perValue: { path: 'spec.m', ops: [{ rename: { from: 'a', to: 'b' } }, { remove: { path: 'old' } }] },
      },
      { remove: { path: 'spec.m{*}.older' } },
    ],
    left: optional({
      m: fc.dictionary(word, optional({ a: scalar, old: scalar, older: scalar }), { maxKeys: 3 }),
    }),
    right: optional({ m: fc.dictionary(word, optional({ b: scalar }), { maxKeys: 3 }) }),
  },
  copy: {
    ops: [{ copy: { from: 'spec.a', to: 'spec.copies.a' } }],
    left: optional({ a: scalar, copies: optional({ x: scalar }) }),
    right: optional({ a: scalar, copies: optional({ a: scalar, x: scalar }) }),
  },
  set: {
    ops: [{ set: { path: 'spec.c', value: 1, back: 2 } }],
    left: optional({ c: scalar }),
    right: optional({ c: scalar }),
  },
  splitObject: {
    ops: [{ splitObject: { from: 'spec.tls', to: { 'spec.server': ['host'], 'spec.options': ['mode'] } } }],
    left: optional({ tls }),
    right: optional({ server: optional({ host: word }), options: optional({ mode: word }) }),
  },
  mergeObjects: {
    ops: [{ mergeObjects: { from: { 'spec.server': ['host'], 'spec.options': ['mode'] }, to: 'spec.tls' } }],
    left: optional({ server: optional({ host: word }), options: optional({ mode: word }) }),
    right: optional({ tls }),
  },
  when: {
    ops: [
      {
        when: {
          left: { path: 'spec.type', equals: 'round' },
          right: { path: 'spec.shape', in: ['circle', 'disc'] },
          ops: [
            { map: { path: 'spec.type', values: [{ from: 'round', to: 'circle' }], unknown: 'keep' } },
            { rename: { from: 'spec.type', to: 'spec.shape' } },
            { rename: { from: 'spec.radius', to: 'spec.size' } },
          ],
          otherwise: [
            { rename: { from: 'spec.type', to: 'spec.shape' } },
            { remove: { path: 'spec.radius' } },
          ],
        },
      },
    ],
    left: optional({ type: fc.constantFrom('round', 'square', 'circle'), radius: scalar }),
    right: optional({ shape: fc.constantFrom('circle', 'disc', 'square', 'round'), size: scalar }),
  },
  cel: {
    ops: [
      { cel: { from: 'spec.seconds', to: 'spec.millis', forward: 'self * 1000', backward: 'self / 1000' } },
    ],
    left: optional({ seconds: fc.integer({ min: -99, max: 99 }) }),
    right: optional({ millis: fc.integer({ min: -5000, max: 5000 }) }),
  },
  'cel over several fields': {
    ops: [
      {
        cel: {
          from: ['spec.a', 'spec.b'],
          to: ['spec.ab'],
          forward: "string(self[0]) + '/' + string(self[1])",
          backward: "self.split('/')",
        },
      },
    ],
    left: fc.record({ a: fc.constantFrom('p', 'q'), b: fc.constantFrom('r', 's') }) as SpecArbitrary,
    right: fc.record({ ab: fc.constantFrom('p/q', 'r/s', 'x/y') }) as SpecArbitrary,
  },
};
