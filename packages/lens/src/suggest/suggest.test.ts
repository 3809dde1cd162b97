import { parseYaml } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { parseLens } from '../parse/parse-lens.ts';
import { printSuggestions } from './print-suggestions.ts';
import { suggest } from './suggest.ts';

const string: JSONSchemaProps = { type: 'string' };
const integer: JSONSchemaProps = { type: 'integer' };
const object = (properties: Record<string, JSONSchemaProps>, required: string[] = []): JSONSchemaProps => ({
  type: 'object',
  properties,
  required,
});
const list = (items: JSONSchemaProps): JSONSchemaProps => ({ type: 'array', items });
const opsOf = (before: Record<string, JSONSchemaProps>, after: Record<string, JSONSchemaProps>): unknown[] =>
  suggest(object({ spec: object(before) }), object({ spec: object(after) })).map(({ op }) => op);

const tls = object({ hostname: string, caRefs: list(object({ name: string })) });

describe('suggest', () => {
  it.each<[string, Record<string, JSONSchemaProps>, Record<string, JSONSchemaProps>, unknown[]]>([
    ['nothing for what is the same', { a: string }, { a: string }, []],
    [
      'a rename, by what is in it',
      { tls },
      { validation: tls },
      [{ rename: { from: 'spec.tls', to: 'spec.validation' } }],
    ],
    [
      'a rename, by its name',
      { tlsMode: string },
      { modeTLS: string },
      [{ rename: { from: 'spec.tlsMode', to: 'spec.modeTLS' } }],
    ],
    [
      'no rename of strangers',
      { apple: string },
      { zebra: string },
      [{ remove: { path: 'spec.apple' } }, { add: { path: 'spec.zebra' } }],
    ],
    [
      'a move into a new object',
      { image: string, a: string },
      { template: object({ image: string }), a: string },
      [{ move: { from: 'spec.image', to: 'spec.template.image' } }],
    ],
    [
      'a move out of an object',
      { template: object({ image: string }) },
      { image: string },
      [{ move: { from: 'spec.template.image', to: 'spec.image' } }],
    ],
    [
      'a list of what was one',
      { bar: integer },
      { bars: list(integer) },
      [{ wrap: { from: 'spec.bar', to: 'spec.bars' } }],
    ],
    [
      'a split',
      { hostPort: string },
      { host: string, port: integer },
      [
        { split: { from: 'spec.hostPort', separator: ':', to: ['spec.host', 'spec.port'] } },
        { cast: { path: 'spec.port', from: 'string', to: 'integer' } },
      ],
    ],
    ['a cast', { n: string }, { n: integer }, [{ cast: { path: 'spec.n', from: 'string', to: 'integer' } }]],
    [
      'words for a boolean',
      { on: { type: 'boolean' } },
      { on: { type: 'string', enum: ['Disabled', 'Enabled'] } },
      [
        {
          map: {
            path: 'spec.on',
            values: [
              { from: false, to: 'Disabled' },
              { from: true, to: 'Enabled' },
            ],
          },
        },
      ],
    ],
    [
      'other names of values',
      { e: { type: 'string', enum: ['always', 'x'] } },
      { e: { type: 'string', enum: ['Always', 'x'] } },
      [{ map: { path: 'spec.e', values: [{ from: 'always', to: 'Always' }], unknown: 'keep' } }],
    ],
    [
      'objects of what were names',
      { refs: list(string) },
      { refs: list(object({ name: string })) },
      [{ box: { from: 'spec.refs[*]', as: 'name' } }],
    ],
    [
      'entries of a map',
      { params: { type: 'object', additionalProperties: string } },
      { params: list(object({ name: string, value: string })) },
      [{ box: { from: 'spec.params{*}', as: 'value' } }, { entries: { from: 'spec.params', key: 'name' } }],
    ],
    [
      'a default of its own',
      { a: { type: 'string', default: 'x' } },
      { a: string },
      [{ default: { path: 'spec.a', back: 'x' } }],
    ],
  ])('proposes %s', (_, before, after, ops) => {
    expect(opsOf(before, after)).toEqual(ops);
  });

  it('proposes values with low confidence for what is required in one version only', () => {
    const [suggestion] = suggest(
      object({ spec: object({ a: integer }) }),
      object({ spec: object({ a: { ...integer, minimum: 3 } }, ['a']) }),
    );
    expect(suggestion).toMatchObject({ op: { default: { path: 'spec.a', value: 3 } }, confidence: 0.4 });
  });

  it('prints a document that can be loaded, with what is unsure in comments', () => {
    const suggestions = suggest(
      object({ spec: object({ hostPort: string, 'odd.name': string, yes: string }) }),
      object({ spec: object({ host: string, port: string }) }),
    );
    const text = printSuggestions('things.example.com', [{ from: 'v1', to: 'v2', suggestions }]);
    expect(text).toContain(
      '- split: { from: spec.hostPort, separator: ":", to: [spec.host, spec.port] } # unsure (60 %): its name is made of theirs; the separator is a guess\n',
    );
    expect(text).toContain(`- remove: { path: "spec['odd.name']" }\n`);
    expect(parseLens(parseYaml(text).value).errors).toBeUndefined();
  });
});
