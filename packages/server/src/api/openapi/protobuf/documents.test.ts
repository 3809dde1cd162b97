// What is written is read back by field numbers, as gnostic's generated code does.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BackwardWriter } from '../../../wire/protobuf/backward-writer.ts';
import { ProtobufReader } from '../../../wire/protobuf/reader.ts';
import { encodeDefinitionsV2, encodeHeadV2, encodePathsV2, openingV2 } from './document-v2.ts';
import { encodeDocumentV3 } from './document-v3.ts';

/** The messages and texts at a path of field numbers. */
function at(bytes: Uint8Array, ...path: number[]): Uint8Array[] {
  const [number, ...rest] = path;
  if (number === undefined) return [bytes];
  const found: Uint8Array[] = [];
  const reader = new ProtobufReader(bytes);
  while (!reader.done) {
    const { field, wireType } = reader.tag();
    if (field === number && wireType === 2) found.push(...at(reader.bytes(), ...rest));
    else reader.skip(wireType);
  }
  return found;
}

const texts = (bytes: Uint8Array, ...path: number[]): string[] =>
  at(bytes, ...path).map((text) => Buffer.from(text).toString());

describe('BackwardWriter', () => {
  it('writes what a reader reads, in order', () => {
    const entry = fc.record({
      field: fc.integer({ min: 1, max: 5000 }),
      text: fc.string({ unit: 'grapheme', maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(entry), fc.maxSafeInteger(), (entries, number) => {
        const out = new BackwardWriter(1);
        out.message(7, () => {
          for (const { field, text } of [...entries].reverse()) out.text(field, text);
        });
        out.integer(3, number);
        const reader = new ProtobufReader(out.finish());
        expect([reader.tag(), reader.integer(), reader.tag()]).toEqual([
          { field: 3, wireType: 0 },
          number,
          { field: 7, wireType: 2 },
        ]);
        const inner = new ProtobufReader(reader.bytes());
        const read = entries.map(() => ({
          field: inner.tag().field,
          text: Buffer.from(inner.bytes()).toString(),
        }));
        expect([read, inner.done, reader.done]).toEqual([entries, true, true]);
      }),
    );
  });
});

describe('OpenAPI 2', () => {
  const kind = {
    description: 'A kind.',
    type: 'object',
    required: ['spec', 'size'],
    properties: {
      spec: { $ref: '#/definitions/Spec', description: 'Wanted.' },
      size: { type: 'integer', minimum: 1.5, maxLength: 300 },
      list: { type: 'array', items: { type: 'string', enum: ['a', 1] } },
      map: { type: 'object', additionalProperties: { type: 'boolean' } },
      open: { type: 'object', additionalProperties: true },
    },
    'x-kubernetes-group-version-kind': [{ group: 'g', version: 'v1', kind: 'K' }],
  };
  const definitions = encodeDefinitionsV2({ K: kind });
  const value = at(definitions, 1, 2)[0]!;
  const property = (name: string) => at(value, 25, 1).find((entry) => texts(entry, 1)[0] === name)!;

  it('has the schemas of definitions', () => {
    expect(texts(definitions, 1, 1)).toEqual(['K']);
    expect(texts(value, 4)).toEqual(['A kind.']);
    expect(texts(value, 22, 1)).toEqual(['object']);
    expect(texts(value, 19)).toEqual(['spec', 'size']);
    expect(texts(value, 25, 1, 1)).toEqual(['spec', 'size', 'list', 'map', 'open']);
    expect(texts(property('spec'), 2, 1)).toEqual(['#/definitions/Spec']);
    expect(texts(property('list'), 2, 23, 1, 22, 1)).toEqual(['string']);
    expect(texts(property('list'), 2, 23, 1, 20, 2)).toEqual(['a\n', '1\n']);
    expect(texts(property('map'), 2, 21, 1, 22, 1)).toEqual(['boolean']);
    expect(at(property('open'), 2, 21)).toEqual([Buffer.from([0x10, 1])]);
  });

  it('has extensions as YAML', () => {
    expect(texts(value, 31, 1)).toEqual(['x-kubernetes-group-version-kind']);
    expect(texts(value, 31, 2, 2)).toEqual(['- group: g\n  kind: K\n  version: v1\n']);
  });

  it('has operations with all types of parameters', () => {
    const patch = {
      operationId: 'patchIt',
      tags: ['t'],
      consumes: ['application/json'],
      parameters: [
        { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Patch' } },
        { name: 'dryRun', in: 'query', type: 'string' },
        { $ref: '#/parameters/force-x' },
      ],
      responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/K' } } },
      'x-kubernetes-action': 'patch',
    };
    const path = at(
      encodePathsV2({ '/k/{name}': { patch, parameters: [{ name: 'name', in: 'path', type: 'string' }] } }),
      2,
    )[0]!;
    expect(texts(path, 1)).toEqual(['/k/{name}']);
    const operation = at(path, 2, 8)[0]!;
    expect(texts(operation, 5)).toEqual(['patchIt']);
    expect(texts(operation, 8, 1, 1, 5, 1)).toEqual(['#/definitions/Patch']);
    expect(texts(operation, 8, 1, 2, 3, 4)).toEqual(['dryRun']);
    expect(texts(operation, 8, 2, 1)).toEqual(['#/parameters/force-x']);
    expect(texts(operation, 9, 1, 1)).toEqual(['200']);
    expect(texts(operation, 9, 1, 2, 1, 2, 1, 1)).toEqual(['#/definitions/K']);
    expect(texts(path, 2, 9, 1, 2, 4, 4)).toEqual(['name']);
  });

  it('is assembled from parts', () => {
    const head = encodeHeadV2({
      swagger: '2.0',
      info: { title: 'T', version: 'v' },
      parameters: { p: { name: 'p', in: 'query', type: 'string' } },
    });
    const document = Buffer.concat([
      head,
      openingV2('definitions', definitions.byteLength * 2),
      definitions,
      definitions,
    ]);
    expect(texts(document, 1)).toEqual(['2.0']);
    expect(texts(document, 10, 1, 2, 2, 3, 4)).toEqual(['p']);
    expect(texts(document, 9, 1, 1)).toEqual(['K', 'K']);
  });
});

describe('OpenAPI 3', () => {
  it('distinguishes references from schemas', () => {
    const reference = { $ref: '#/components/schemas/M' };
    const properties = {
      a: { allOf: [reference], default: 'x' },
      b: { type: 'array', items: reference },
      c: { nullable: true, not: { type: 'string' } },
    };
    const get = {
      responses: { 200: { description: 'OK', content: { 'application/json': { schema: reference } } } },
    };
    const document = encodeDocumentV3({
      openapi: '3.0.0',
      paths: { '/k': { get } },
      components: { schemas: { K: { type: 'object', properties } } },
    });
    expect(texts(document, 5, 1, 1, 1)).toEqual(['K']);
    const schemas = at(document, 5, 1, 1, 2, 1, 31, 1);
    expect(schemas.flatMap((entry) => texts(entry, 1))).toEqual(['a', 'b', 'c']);
    expect(texts(schemas[0]!, 2, 1, 26, 2, 1)).toEqual([reference.$ref]);
    expect(texts(schemas[0]!, 2, 1, 33, 3)).toEqual(['x']);
    expect(texts(schemas[1]!, 2, 1, 30, 1, 2, 1)).toEqual([reference.$ref]);
    expect(texts(schemas[2]!, 2, 1, 29, 25)).toEqual(['string']);
    expect(texts(document, 4, 1, 2, 4, 8, 2, 2, 1, 3, 1, 2, 1, 2, 1)).toEqual([reference.$ref]);
  });
});
