// Forms made by a request that began under an earlier definition: other requests must not get them.
import { type Converter, RELABEL } from '@instar/convert';
import type { KubeObject } from '@instar/machinery';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { integerSpec, widgetDefinition, widgetVersion } from '../../testing/widget-definition.ts';
import { readForm, readForms } from './read-forms.ts';

const definition = (fields: readonly string[], converter: Converter) =>
  widgetDefinition(
    [widgetVersion('v1', integerSpec(['a', 'b'])), widgetVersion('v2', integerSpec(fields))],
    converter,
  );

/**
 * The first answer is taken unparsed, if so: as from a webhook that leaves out what the asked version does
 * not have.
 */
function waiting(asJson: boolean): Converter {
  let calls = 0;
  return {
    convert: async (sources, apiVersion, settle, { takesJson } = {}) => {
      const isJson = asJson && calls++ === 0;
      for (let index = 0; index < sources.length; index++) {
        const source = sources.at(index)!;
        const { metadata } = source;
        if (isJson) takesJson!.settle(index, Buffer.from('"name":"w","uid":"u"},"spec":{"a":1}}'));
        else
          settle(
            index,
            { apiVersion, kind: 'Widget', metadata, spec: { a: 1, b: 2 } } as unknown as KubeObject,
            source,
          );
      }
    },
  };
}

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.start();
});
afterEach(() => api.close());

async function shownAfterwards(converter: Converter): Promise<string> {
  const resource = api.registry.define(definition(['a'], converter));
  const earlier = resource.version('example.com/v2')!;
  const value = Buffer.from(
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","uid":"u"},"spec":{"a":1,"b":2}}',
  );
  await api.store.commit({
    conditions: [],
    operations: [{ type: 'put', key: '/registry/example.com/widgets/w', value }],
  });
  await resource.cache.waitUntilFresh();
  const cached = resource.cache.get('/registry/example.com/widgets/w')!;
  api.registry.define(definition(['a', 'b'], converter));
  const own = JSON.parse(Buffer.from(await readForm(resource.forms, cached, earlier)).toString());
  expect(own.spec).toEqual({ a: 1 });
  return (await api.call('GET', '/apis/example.com/v2/widgets/w')).body.spec;
}

it.each([
  ['immediately', RELABEL],
  ['by a webhook', waiting(false)],
  ['by a webhook, unparsed', waiting(true)],
])('are not shown to later requests: converted %s', async (_, converter) => {
  expect(await shownAfterwards(converter)).toEqual({ a: 1, b: 2 });
});

it('are made even if the definition no longer has a webhook when all objects have been looked at', async () => {
  const resource = api.registry.define(definition(['a'], waiting(false)));
  const value = Buffer.from(
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","uid":"u"},"spec":{"a":1}}',
  );
  const puts = Array.from({ length: 100 }, (_, i) => ({
    type: 'put' as const,
    key: `/registry/example.com/widgets/w${i}`,
    value,
  }));
  await api.store.commit({ conditions: [], operations: puts });
  await resource.cache.waitUntilFresh();
  // Every object takes long: after some of them the event loop gets a turn.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const forms = readForms(
    resource.forms,
    resource.cache.slice(resource.prefix),
    resource.version('example.com/v2')!,
  );
  clock.mockRestore();
  api.registry.define(definition(['a'], RELABEL));
  expect((await forms).map((form) => JSON.parse(Buffer.from(form).toString()).apiVersion)).toEqual(
    puts.map(() => 'example.com/v2'),
  );
});
