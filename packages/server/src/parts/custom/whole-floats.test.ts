// Numbers written as floats with a whole value, which kube-apiserver takes for float64 until it has stored
// them.
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NUMS = '/apis/example.com/v1/namespaces/default/nums';
const SERVICES = '/api/v1/namespaces/default/services';
const properties = {
  ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0' }] },
  plain: { type: 'integer' },
  text: { type: 'string' },
  multiple: { type: 'number', multipleOf: 0.1 },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
  map: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port'],
    items: { type: 'object', required: ['port'], properties: { port: { type: 'integer' } } },
  },
  pod: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'nums.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'nums', singular: 'num', kind: 'Num', listKind: 'NumList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.plain', statusReplicasPath: '.status.plain' } },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      },
    ],
  },
};
const num = (spec: string, name = 'n') =>
  Buffer.from(`{"apiVersion":"example.com/v1","kind":"Num","metadata":{"name":"${name}"},"spec":${spec}}`);

let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
  await api.send('POST', CRDS, definition);
  await eventually('the definition to be served', async () => (await api.send('GET', NUMS)).status === 200);
});
afterAll(() => api.close());

const dryRun = (spec: string) => api.send('POST', `${NUMS}?dryRun=All`, num(spec));

describe('in a custom resource', () => {
  it('a rule on an integer fails', async () => {
    const { status, body } = await dryRun('{"ruled":1.0}');
    expect([status, body.message]).toEqual([
      422,
      'Num.example.com "n" is invalid: spec.ruled: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self >= 0',
    ]);
  });

  it('scale expects an integer', async () => {
    expect((await dryRun('{"plain":1e0}')).body.message).toContain(
      '.spec.plain accessor error: 1 is of the type float64, expected int64',
    );
  });

  it('an error names the type as a number', async () => {
    expect((await dryRun('{"text":1.0}')).body.message).toContain('must be of type string: "number"');
  });

  it.each(['{"set":[1,1.0]}', '{"map":[{"port":1},{"port":1e0}]}', '{"multiple":1.0}'])(
    'it is another value than the integer: %s',
    async (spec) => {
      expect((await dryRun(spec)).status).toBe(201);
    },
  );

  it.each(['{"set":[1.0,1e0]}', '{"map":[{"port":1.0},{"port":1e0}]}'])(
    'two of them are equal: %s',
    async (spec) => {
      expect((await dryRun(spec)).body.message).toContain('Duplicate value');
    },
  );

  it('metadata of embedded objects takes it', async () => {
    const pod = '{"pod":{"apiVersion":"v1","kind":"Pod","metadata":{"generation":1.0}}}';
    expect((await dryRun(pod)).status).toBe(201);
  });

  it('it is stored as an integer', async () => {
    const { body } = await api.send('POST', NUMS, num('{"set":[1.0]}', 'stored'));
    expect(body['spec']).toEqual({ set: [1] });
    const { status } = await api.send('PATCH', `${NUMS}/stored`, { metadata: { labels: { a: 'b' } } });
    expect(status).toBe(200);
  });

  it.each([
    ['application/merge-patch+json', '{"spec":{"ruled":1.0}}'],
    ['application/json-patch+json', '[{"op":"add","path":"/spec","value":{"ruled":1.0}}]'],
    ['application/json-patch+json', '[{"op":"add","path":"/spec/ruled","value":1.0}]'],
  ])('a patch brings it: %s %s', async (type, patch) => {
    await api.send('POST', NUMS, num('{"text":"a"}', 'patched'));
    const { body } = await api.send('PATCH', `${NUMS}/patched`, Buffer.from(patch), { 'content-type': type });
    expect(body.message).toContain('expected int, got float64');
  });

  it('a test of a JSON patch compares it as it is written', async () => {
    await api.send('POST', NUMS, num('{"ruled":1}', 'tested'));
    const test = (value: string) =>
      api.send(
        'PATCH',
        `${NUMS}/tested`,
        Buffer.from(`[{"op":"test","path":"/spec/ruled","value":${value}}]`),
        {
          'content-type': 'application/json-patch+json',
        },
      );
    expect([(await test('1')).status, (await test('1.0')).status]).toEqual([200, 422]);
  });
});

describe('in a kind with a Go type', () => {
  it('an integer field refuses it, as it is written', async () => {
    const service = '{"metadata":{"name":"s"},"spec":{"ports":[{"port":8e1}]}}';
    expect((await api.send('POST', SERVICES, Buffer.from(service))).body.message).toBe(
      'Service in version "v1" cannot be handled as a Service: json: cannot unmarshal number 8e1 into Go struct field ServicePort.spec.ports.port of type int32',
    );
  });

  it('a quantity keeps how it is written', async () => {
    const quota = '{"metadata":{"name":"q"},"spec":{"hard":{"cpu":1e3}}}';
    const { body } = await api.send('POST', '/api/v1/namespaces/default/resourcequotas', Buffer.from(quota));
    expect(body['spec']).toEqual({ hard: { cpu: '1e3' } });
  });
});
