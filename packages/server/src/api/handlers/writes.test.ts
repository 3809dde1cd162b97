// Writes as clients see them: bodies that are refused, concurrent writers, deletions that wait.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Json, TestApi } from '../../testing/test-api.ts';

describe.each([
  ['passes values on', false],
  ['copies values', true],
])('with an engine that %s,', (_, copies) => {
  const MAPS = '/api/v1/namespaces/default/configmaps';
  const A = `${MAPS}/a`;
  let api: TestApi;
  beforeEach(async () => {
    api = await TestApi.start({ copies });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await api.close();
  });

  const create = (metadata: object = {}, data = {}) =>
    api.ok('POST', MAPS, { metadata: { name: 'a', ...metadata }, data });
  const outcome = async (answer: Promise<{ status: number; body: Json }>) => {
    const { status, body } = await answer;
    return [status, body.reason, body.message];
  };

  describe('a body', () => {
    const post = (body: string, headers = {}) => outcome(api.call('POST', MAPS, body, headers));

    it.each([
      [
        '',
        "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
      ],
      ['[]', /cannot unmarshal array into Go value/],
      ['{"kind":5}', /cannot unmarshal number into Go struct field \.kind of type string/],
      [
        '{"apiVersion":"v2","kind":"ConfigMap"}',
        'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
      ],
      ['{"apiVersion":"v1","kind":"Secret"}', /Secret in version "v1" cannot be handled as a ConfigMap/],
      [
        '{"metadata":{"labels":{"a":1}}}',
        /cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field/,
      ],
      [
        '{"metadata":{"name":"b","namespace":"other"}}',
        'the namespace of the provided object does not match the namespace sent on the request',
      ],
    ])('that is invalid is refused: %s', async (body, message) => {
      const [status, reason, text] = await post(body);
      expect([status, reason]).toEqual([400, 'BadRequest']);
      expect(text).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    });

    it('of an unknown media type is refused', async () => {
      expect((await post('{}', { 'content-type': 'text/plain' })).slice(0, 2)).toEqual([
        415,
        'UnsupportedMediaType',
      ]);
    });

    it('may be YAML', async () => {
      const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-yaml}\ndata: {a: "1"}\n';
      expect((await api.ok('POST', MAPS, body, { 'content-type': 'application/yaml' })).data).toEqual({
        a: '1',
      });
    });

    it('with tens of thousands of unknown fields is accepted', async () => {
      const unknown = Array.from({ length: 45_000 }, (_, i) => `"k${i}":1`).join(',');
      const { status } = await api.call('POST', MAPS, `{"metadata":{"name":"b"},${unknown}}`);
      expect(status).toBe(201);
    });

    it('with more fields in one object than can be handled at once is refused', async () => {
      const unknown = Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',');
      expect(await post(`{"metadata":{"name":"b"},${unknown}}`)).toEqual([
        413,
        'RequestEntityTooLarge',
        'Request entity too large: an object has more than 50000 fields',
      ]);
    });

    it('of long JSON is refused for the same reasons as a short one', async () => {
      const [, , message] = await post(`{"data":{"a":"${'x'.repeat(100_000)}"},"b":tru}`);
      expect(message).toContain("json parse error: invalid character '}' in literal true (expecting 'e')");
    });

    it('of long YAML reports what a short one reports', async () => {
      const head =
        'apiVersion: v1\nkind: ConfigMap\nunknown: 1\nmetadata: {name: b}\ndata: {a: "1", a: "2"}\n';
      const headers = { 'content-type': 'application/yaml' };
      const warnings = async (body: string) => {
        const { status, headers: answered } = await api.call('POST', MAPS, body, headers);
        return [status, answered['warning']];
      };
      const short = await warnings(head);
      await api.ok('DELETE', `${MAPS}/b`);
      expect(await warnings(`${head}binaryData: {b: ${'eHh4'.repeat(20_000)}}\n`)).toEqual(short);
      expect((await post(`a: [${'x, '.repeat(40_000)}`, headers))[2]).toContain(
        "did not find expected ',' or ']'",
      );
    });

    it('with unknown or duplicate fields is accepted, warned of or refused, as requested', async () => {
      const body = '{"metadata":{"name":"b"},"unknown":1,"data":{"a":"1","a":"2"}}';
      const strict = await api.call('POST', `${MAPS}?fieldValidation=Strict`, body);
      expect([strict.status, strict.body.message]).toEqual([
        400,
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "unknown", duplicate field "data.a"',
      ]);
      const warned = await api.call('POST', MAPS, body);
      expect(warned.headers['warning']).toEqual([
        '299 - "unknown field \\"unknown\\""',
        '299 - "duplicate field \\"data.a\\""',
      ]);
      await api.ok('DELETE', `${MAPS}/b`);
      const ignored = await api.call('POST', `${MAPS}?fieldValidation=Ignore`, body);
      expect([ignored.status, ignored.headers['warning']]).toEqual([201, undefined]);
    });

    it('of a built-in kind reports unknown and repeated fields in the order of the document', async () => {
      const body =
        '{"metadata":{"name":"b"},"unknown":{"x":1,"x":2},"data":{"a":"1","a":"2"},"other":1,"other":2}';
      const strict = await api.call('POST', `${MAPS}?fieldValidation=Strict`, body);
      expect(strict.body.message).toContain(
        'strict decoding error: unknown field "unknown", duplicate field "data.a", unknown field "other"',
      );
      expect((await api.call('POST', MAPS, body)).headers['warning']).toEqual([
        '299 - "unknown field \\"unknown\\""',
        '299 - "duplicate field \\"data.a\\""',
        '299 - "unknown field \\"other\\""',
      ]);
    });

    it('in YAML reports repeated fields first', async () => {
      const body =
        'apiVersion: v1\nkind: ConfigMap\nunknown: 1\nmetadata: {name: b}\ndata: {a: "1", a: "2"}\n';
      const { message } = (
        await api.call('POST', `${MAPS}?fieldValidation=Strict`, body, { 'content-type': 'application/yaml' })
      ).body;
      expect(message).toMatch(/strict decoding error: .*"a" already set in map.*unknown field "unknown"/s);
    });

    it('may have members that JavaScript objects inherit', async () => {
      const made = await api.call(
        'POST',
        MAPS,
        '{"metadata":{"name":"b","labels":{"constructor":"c"}},"data":{"__proto__":"p","toString":"t"}}',
      );
      expect(made.text).toContain('"data":{"__proto__":"p","toString":"t"}');
      expect((await api.call('GET', `${MAPS}/b`)).text).toContain('"__proto__":"p"');
      expect(({} as Record<string, unknown>)['p']).toBeUndefined();
    });
  });

  describe('a node port', () => {
    const SERVICES = '/api/v1/namespaces/default/services';
    const service = (name: string, nodePort?: number) => ({
      metadata: { name },
      spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] },
    });

    it('that another service has is refused', async () => {
      await api.ok('POST', SERVICES, service('a', 30100));
      expect(await outcome(api.call('POST', SERVICES, service('b', 30100)))).toEqual([
        422,
        'Invalid',
        'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30100: provided port is already allocated',
      ]);
      await api.ok('PUT', `${SERVICES}/a`, service('a', 30100));
      await api.ok('DELETE', `${SERVICES}/a`);
      await api.ok('POST', SERVICES, service('b', 30100));
    });

    it('out of the range is refused, on updates too', async () => {
      const refused = [
        422,
        'Invalid',
        'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 25431: provided port is not in the valid range. The range of valid ports is 30000-32767',
      ];
      expect(await outcome(api.call('POST', SERVICES, service('a', 25431)))).toEqual(refused);
      await api.ok('POST', SERVICES, service('a'));
      expect(await outcome(api.call('PUT', `${SERVICES}/a`, service('a', 25431)))).toEqual(refused);
    });
  });

  describe('a generated name', () => {
    it('is tried again if it exists, up to a limit', async () => {
      await create({ name: undefined, generateName: 'x-' });
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      await create({ name: undefined, generateName: 'y-' });
      const [status, reason] = await outcome(api.call('POST', MAPS, { metadata: { generateName: 'y-' } }));
      expect([status, reason]).toEqual([409, 'AlreadyExists']);
    });
  });

  describe('concurrent writers', () => {
    it('all succeed with patches that name no resourceVersion', async () => {
      await create();
      const patches = Array.from({ length: 20 }, (_, i) =>
        api.ok('PATCH', A, { data: { [`k${i}`]: String(i) } }),
      );
      await Promise.all(patches);
      expect(Object.keys((await api.ok('GET', A)).data)).toHaveLength(20);
    });

    it('get a conflict if they name the resourceVersion they have read', async () => {
      const seen = await create();
      const put = (value: string) => outcome(api.call('PUT', A, { ...seen, data: { by: value } }));
      const outcomes = await Promise.all([put('one'), put('two')]);
      expect(outcomes.map(([status]) => status).sort()).toEqual([200, 409]);
      expect(outcomes.find(([status]) => status === 409)).toEqual([
        409,
        'Conflict',
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      ]);
      const patch = outcome(
        api.call('PATCH', A, {
          metadata: { resourceVersion: seen.metadata.resourceVersion },
          data: { x: '1' },
        }),
      );
      expect((await patch).slice(0, 2)).toEqual([409, 'Conflict']);
    });

    it('do not change an object that was created again with the same name', async () => {
      const seen = await create();
      await api.ok('DELETE', A);
      await create();
      delete seen.metadata.resourceVersion;
      const [status, , message] = await outcome(api.call('PUT', A, seen));
      expect(status).toBe(409);
      expect(message).toContain('Precondition failed: UID in precondition');
    });

    it('change nothing by writing what is stored already', async () => {
      const before = await create({}, { a: '1' });
      expect((await api.ok('PATCH', A, { data: { a: '1' } })).metadata.resourceVersion).toBe(
        before.metadata.resourceVersion,
      );
      expect((await api.ok('PUT', A, before)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });

    it('on another server are noticed, even by a write that would change nothing', async () => {
      const before = await create({}, { a: '1' });
      const { cache } = api.resource('', 'configmaps');
      const stale = cache.get('/registry/configmaps/default/a')!;
      await api.ok('PATCH', A, { data: { a: '2' } });
      vi.spyOn(cache, 'get').mockReturnValueOnce(stale);
      const after = await api.ok('PATCH', A, { data: { a: '1' } });
      expect(after.data).toEqual({ a: '1' });
      expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(
        Number(before.metadata.resourceVersion) + 1,
      );
    });

    it('get 404 if the object does not exist', async () => {
      expect(await outcome(api.call('PATCH', `${MAPS}/none`, {}))).toEqual([
        404,
        'NotFound',
        'configmaps "none" not found',
      ]);
    });
  });

  describe('a dry run', () => {
    it('answers and changes nothing', async () => {
      const revision = await api.store.currentRevision();
      expect(
        (await api.ok('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'a' } })).metadata.uid,
      ).toBeDefined();
      await create();
      expect((await api.ok('PATCH', `${A}?dryRun=All`, { data: { x: '1' } })).data).toEqual({ x: '1' });
      await api.ok('DELETE', `${A}?dryRun=All`);
      expect((await api.ok('GET', A)).data).toBeUndefined();
      expect(await api.store.currentRevision()).toBe(revision + 1);
    });
  });

  describe('deleting', () => {
    it('answers with what was deleted', async () => {
      const { metadata } = await create();
      expect(await api.ok('DELETE', A)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
      });
      expect((await outcome(api.call('DELETE', A))).slice(0, 2)).toEqual([404, 'NotFound']);
    });

    it.each([
      ['uid', { uid: 'other' }],
      ['resourceVersion', { resourceVersion: '1' }],
    ])('happens only if the %s is the one named', async (_, preconditions) => {
      const { metadata } = await create();
      expect((await outcome(api.call('DELETE', A, { preconditions }))).slice(0, 2)).toEqual([
        409,
        'Conflict',
      ]);
      const { uid, resourceVersion } = metadata;
      await api.ok('DELETE', A, { preconditions: { uid, resourceVersion } });
    });

    it('happens only when the last finalizer is removed', async () => {
      await create({ finalizers: ['example.com/a', 'example.com/b'] });
      const marked = await api.ok('DELETE', A);
      expect([marked.kind, marked.metadata.deletionGracePeriodSeconds]).toEqual(['ConfigMap', 0]);
      const again = await api.ok('DELETE', A);
      expect(again.metadata.resourceVersion).toBe(marked.metadata.resourceVersion);
      await api.ok('PATCH', A, { metadata: { finalizers: ['example.com/b'] } });
      await api.ok('PATCH', A, { metadata: { finalizers: null } });
      expect((await api.call('GET', A)).status).toBe(404);
    });

    it.each([
      [{ propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
      [{ propagationPolicy: 'Orphan' }, ['orphan']],
      [{ orphanDependents: true }, ['orphan']],
    ])('adds the finalizer that the options request: %j', async (options, finalizers) => {
      await create();
      expect((await api.ok('DELETE', A, options)).metadata.finalizers).toEqual(finalizers);
    });

    it('with another policy replaces the finalizer', async () => {
      await create({ finalizers: ['example.com/a'] });
      await api.ok('DELETE', A, { propagationPolicy: 'Foreground' });
      expect((await api.ok('DELETE', A, { propagationPolicy: 'Orphan' })).metadata.finalizers).toEqual([
        'example.com/a',
        'orphan',
      ]);
      expect((await api.ok('DELETE', A, { propagationPolicy: 'Background' })).metadata.finalizers).toEqual([
        'example.com/a',
      ]);
    });

    it.each([
      [{ propagationPolicy: 'Sideways' }, 422],
      [{ propagationPolicy: 'Orphan', orphanDependents: true }, 422],
      [{ dryRun: ['Some'] }, 422],
      [{ kind: 'Other' }, 400],
      [{ gracePeriodSeconds: 'soon' }, 400],
      ['{', 400],
      ['[]', 400],
    ])('is refused with invalid options: %j', async (options, code) => {
      await create();
      expect((await api.call('DELETE', A, options)).status).toBe(code);
      expect((await api.call('GET', A)).status).toBe(200);
    });
  });
});
