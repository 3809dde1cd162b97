import { eventually } from '@instar/testing';
import { type ApiAnswer, EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${REGISTRATION}/validatingadmissionpolicies`;
const BINDINGS = `${REGISTRATION}/validatingadmissionpolicybindings`;
const MAPS = '/api/v1/namespaces/default/configmaps';
const DRY = `${MAPS}?dryRun=All`;

const about = (resource = 'configmaps', rest: object = {}) => ({
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] },
  ],
  ...rest,
});
const map = (name: string, data: Record<string, string> = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  data,
});

let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
});
afterAll(() => api.close());

async function made(path: string, body: object): Promise<ApiAnswer> {
  const answer = await api.send('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer;
}

/** Puts a policy into force while something is tried. */
async function under<T>(spec: object, binding: object, work: () => Promise<T>): Promise<T> {
  await made(POLICIES, { metadata: { name: 'p' }, spec: { matchConstraints: about(), ...spec } });
  await made(BINDINGS, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...binding },
  });
  try {
    return await work();
  } finally {
    await api.send('DELETE', `${BINDINGS}/b`);
    await api.send('DELETE', `${POLICIES}/p`);
  }
}

const validations = [{ expression: "object.metadata.name.startsWith('good')" }];

describe('validating admission policies', () => {
  it('deny what violates them with a message that names the policy', async () => {
    const [good, bad] = await under({ validations }, {}, () =>
      Promise.all([api.send('POST', DRY, map('good')), api.send('POST', DRY, map('bad'))]),
    );
    expect(good.status).toBe(201);
    const message =
      "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.metadata.name.startsWith('good')";
    expect(bad.body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `configmaps "bad" is forbidden: ${message}`,
      details: { name: 'bad', kind: 'configmaps', causes: [{ message }] },
    });
  });

  it('answer with their message and reason', async () => {
    const spec = {
      variables: [
        { name: 'size', expression: 'size(object.data)' },
        { name: 'double', expression: 'variables.size * 2' },
      ],
      validations: [
        {
          expression: 'variables.double < 4',
          messageExpression: "'twice is ' + string(variables.double)",
          message: 'no',
          reason: 'Forbidden',
        },
      ],
    };
    const bad = await under(spec, {}, () => api.send('POST', DRY, map('a', { x: '1', y: '2' })));
    expect(bad.body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: expect.stringMatching(/denied request: twice is 4$/),
    });
  });

  it('warn if their binding says so', async () => {
    const answer = await under({ validations }, { validationActions: ['Warn', 'Audit'] }, () =>
      api.send('POST', DRY, map('bad')),
    );
    expect(answer.status).toBe(201);
    expect(answer.warnings[0]).toMatch(
      /^Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression/,
    );
  });

  it('follow their failurePolicy when an expression fails', async () => {
    const failing = { validations: [{ expression: "object.data.missing == 'x'" }] };
    const fails = await under(failing, {}, () => api.send('POST', DRY, map('a', { k: 'v' })));
    expect(fails.body.message).toContain(
      "expression 'object.data.missing == 'x'' resulted in error: no such key: missing",
    );
    const ignored = await under({ ...failing, failurePolicy: 'Ignore' }, {}, () =>
      api.send('POST', DRY, map('a', { k: 'v' })),
    );
    expect(ignored.status).toBe(201);
  });

  it('are evaluated only for what their conditions and bindings match', async () => {
    const never = { validations: [{ expression: 'false' }] };
    const passes = async (spec: object, binding: object, object = map('a')) =>
      (await under({ ...never, ...spec }, binding, () => api.send('POST', DRY, object))).status === 201;
    expect(
      await passes(
        { matchConditions: [{ name: 'c', expression: "request.userInfo.username == 'nobody'" }] },
        {},
      ),
    ).toBe(true);
    expect(await passes({}, { matchResources: { namespaceSelector: { matchLabels: { a: 'b' } } } })).toBe(
      true,
    );
    expect(await passes({}, { matchResources: { objectSelector: { matchLabels: { a: 'b' } } } })).toBe(true);
    expect(
      await passes(
        {},
        { matchResources: { objectSelector: { matchLabels: { a: 'b' } } } },
        map('a', {}, { labels: { a: 'b' } }),
      ),
    ).toBe(false);
    expect(
      await passes(
        {
          matchConstraints: about('configmaps', {
            excludeResourceRules: [{ ...about().resourceRules[0], resourceNames: ['a'] }],
          }),
        },
        {},
      ),
    ).toBe(true);
    expect(await passes({ matchConstraints: about('secrets') }, {})).toBe(true);
    expect(
      await passes(
        {
          validations: [
            {
              expression:
                "namespaceObject.metadata.name == 'default' && authorizer.requestResource.check('create').allowed()",
            },
          ],
        },
        {},
      ),
    ).toBe(true);
  });

  it('take parameters from objects', async () => {
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: about('secrets'),
      validations: [
        {
          expression: 'size(object.metadata.name) <= int(params.data.max)',
          messageExpression: "'at most ' + params.data.max",
        },
      ],
    };
    const secret = { metadata: { name: 'abcdef' } };
    const attempt = () => api.send('POST', '/api/v1/namespaces/default/secrets?dryRun=All', secret);
    await made(MAPS, map('limits', { max: '3' }, { labels: { use: 'limit' } }));
    const ref = (rest: object) => ({ paramRef: { parameterNotFoundAction: 'Deny', ...rest } });
    expect((await under(spec, ref({ name: 'limits' }), attempt)).body.message).toMatch(/at most 3$/);
    expect(
      (await under(spec, ref({ selector: { matchLabels: { use: 'limit' } } }), attempt)).body.message,
    ).toMatch(/at most 3$/);
    expect((await under(spec, ref({ name: 'none' }), attempt)).body.message).toContain(
      "binding 'b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    );
    expect((await under(spec, ref({ name: 'none', parameterNotFoundAction: 'Allow' }), attempt)).status).toBe(
      201,
    );
    const unknown = { ...spec, paramKind: { apiVersion: 'g.example.com/v1', kind: 'Limit' } };
    expect((await under(unknown, ref({ name: 'limits' }), attempt)).body.message).toContain(
      "policy: failed to find resource referenced by paramKind: 'g.example.com/v1, Kind=Limit'",
    );
  });

  it('do not apply to policies', async () => {
    const all = {
      resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
    };
    await under({ matchConstraints: all, validations: [{ expression: 'false' }] }, {}, async () => {
      expect((await api.send('POST', DRY, map('a'))).status).toBe(422);
    });
    expect((await api.send('GET', `${POLICIES}/p`)).status).toBe(404);
  });

  it('get the warnings of type checking in their status', async () => {
    const spec = {
      validations: [
        { expression: 'object.dat.size() > 0 && object.metadata.labels.size() == 0' },
        { expression: 'has(object.data)' },
      ],
    };
    await under(spec, {}, async () => {
      await eventually(
        'the types to be checked',
        async () => (await api.send('GET', `${POLICIES}/p`)).body.status?.observedGeneration === 1,
      );
      const { status, metadata } = (await api.send('GET', `${POLICIES}/p`)).body;
      const { typeChecking } = status;
      expect(typeChecking.expressionWarnings).toEqual([
        {
          fieldRef: 'spec.validations[0].expression',
          warning: expect.stringContaining("/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'dat'"),
        },
      ]);
      expect(metadata.managedFields).toContainEqual(
        expect.objectContaining({
          manager: 'validatingadmissionpolicy-status',
          operation: 'Apply',
          subresource: 'status',
          fieldsV1: {
            'f:status': { 'f:observedGeneration': {}, 'f:typeChecking': { 'f:expressionWarnings': {} } },
          },
        }),
      );
    });
  });
});
