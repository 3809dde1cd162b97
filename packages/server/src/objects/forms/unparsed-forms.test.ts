// Forms that are made from bytes without parsing equal those that parsing would have made.
import { RELABEL } from '@instar/convert';
import type { JSONSchemaProps } from '@instar/schema';
import { afterEach, describe, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { widgetDefinition, widgetVersion } from '../../testing/widget-definition.ts';

const version = (name: string, properties: Record<string, JSONSchemaProps>) =>
  widgetVersion(name, { spec: { type: 'object', properties } });
const any: JSONSchemaProps = { 'x-kubernetes-preserve-unknown-fields': true };

const definition = (onlyRelabels: boolean) =>
  widgetDefinition(
    [
      version('v1', {
        size: any,
        color: any,
        count: { type: 'integer', default: 3 },
        note: { type: 'string' },
      }),
      version('v2', { size: any, count: { type: 'integer' }, note: { type: 'string', nullable: true } }),
    ],
    { ...RELABEL, onlyRelabels },
  );

/** As it may have been stored before the schema had its default and lost its fields. */
const SPECS = [
  '{"size":1,"count":2}',
  '{"size":1}',
  '{"size":1.0,"count":2}',
  '{"size":9007199254740993,"count":2}',
  '{"size":{"a":[1,"é\\n\\u003c"]},"count":2}',
  '{"size":null,"color":"red","count":null}',
  '{"size":1,"gone":true,"count":2}',
  '{"size":1,"count":2,"note":null}',
  '{}',
];

let api: TestApi;
afterEach(() => api.close());

describe('the forms of stored objects', () => {
  it('are the same whether they are parsed or not', async () => {
    const shown = async (onlyRelabels: boolean, v: string): Promise<string> => {
      api = await TestApi.start();
      api.registry.define(definition(onlyRelabels));
      for (const [i, spec] of SPECS.entries()) {
        const key = `/registry/example.com/widgets/w${i}`;
        const value = Buffer.from(
          `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w${i}","uid":"u","generation":1},"spec":${spec}}`,
        );
        await api.store.commit({ conditions: [], operations: [{ type: 'put', key, value }] });
      }
      return (await api.call('GET', `/apis/example.com/${v}/widgets`)).text;
    };
    const unparsed = await shown(true, 'v2');
    await api.close();
    expect(unparsed).toBe(await shown(false, 'v2'));
    await api.close();
    expect(JSON.parse(await shown(true, 'v1')).items.map(({ spec }: { spec: unknown }) => spec)).toEqual([
      { size: 1, count: 2 },
      { size: 1, count: 3 },
      { size: 1, count: 2 },
      { size: Number('9007199254740993'), count: 2 },
      { size: { a: [1, 'é\n<'] }, count: 2 },
      { color: 'red', count: 3 },
      { size: 1, count: 2 },
      { size: 1, count: 2 },
      { count: 3 },
    ]);
  });
});
