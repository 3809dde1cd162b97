import { describe, expect, it } from 'vitest';
import { Trial } from './trial.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configuration.ts';

const validating = new Trial(validatingWebhookConfigurations);
const mutating = new Trial(mutatingWebhookConfigurations);
const rule = { operations: ['*'], apiGroups: ['g.example.com'], apiVersions: ['*'], resources: ['crontabs'] };
const good = {
  name: 'a.example.com',
  clientConfig: { url: 'https://hook.example.com' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const faults = (webhook: object) =>
  validating.faults({ webhooks: [{ ...good, ...webhook }] }).map((text) => text.replace('webhooks[0].', ''));
const ruled = (change: object) =>
  faults({ rules: [{ ...rule, ...change }] }).map((text) => text.replace('rules[0].', ''));
const url = (text: string) =>
  faults({ clientConfig: { url: text } }).map((fault) => fault.replace('clientConfig.url: ', ''));
const service = (change: object) =>
  faults({ clientConfig: { service: { namespace: 'default', name: 'svc', ...change } } }).map((text) =>
    text.replace('clientConfig.service.', ''),
  );
const FORM = '; desired format: https://host[/path]';

describe('webhook configurations', () => {
  it('get the defaults of kube-apiserver', () => {
    const defaults = {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
    };
    expect(validating.create({ webhooks: [good] })).toMatchObject({
      metadata: { generation: 1 },
      webhooks: [{ ...good, ...defaults, rules: [{ ...rule, scope: '*' }] }],
    });
    expect(mutating.create({ webhooks: [good] })).toMatchObject({
      webhooks: [{ ...defaults, reinvocationPolicy: 'Never' }],
    });
    expect(
      validating.create({
        webhooks: [{ ...good, clientConfig: { service: { namespace: 'a', name: 'b' } } }],
      }),
    ).toMatchObject({
      webhooks: [{ clientConfig: { service: { port: 443 } } }],
    });
    expect(validating.create({ webhooks: [] })).not.toHaveProperty('webhooks');
  });

  it.each([
    [{ name: '' }, ['name: Required value']],
    [
      { name: 'a.b' },
      ['name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [{ sideEffects: undefined }, ['sideEffects: Required value: must specify one of None, NoneOnDryRun']],
    [
      { sideEffects: 'Some' },
      ['sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      { admissionReviewVersions: [] },
      ['admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      { admissionReviewVersions: ['v2'] },
      ['admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1'],
    ],
    [
      { admissionReviewVersions: ['v1', 'v1'] },
      ['admissionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    ],
    [
      { failurePolicy: 'Retry' },
      ['failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"'],
    ],
    [
      { timeoutSeconds: 31 },
      ['timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
      ['objectSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator'],
    ],
    [{ clientConfig: {} }, ['clientConfig: Required value: exactly one of url or service is required']],
    [
      { matchConditions: [{ name: 'c', expression: ' ' }] },
      ['matchConditions[0].expression: Required value'],
    ],
    [
      {
        matchConditions: [
          { name: 'c', expression: 'true' },
          { name: 'c', expression: 'true' },
        ],
      },
      ['matchConditions[1].name: Duplicate value: "c"'],
    ],
    [
      { matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: 'true' })) },
      ['matchConditions: Too many: 65: must have at most 64 items'],
    ],
  ])('are checked with %j', (change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  it.each([
    [{ operations: [] }, ['operations: Required value']],
    [
      { operations: ['*', 'CREATE'] },
      [`operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`],
    ],
    [
      { operations: ['PATCH'] },
      [
        'operations[0]: Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
    ],
    [{ apiGroups: [''] }, []],
    [{ apiVersions: [''] }, ['apiVersions[0]: Required value']],
    [
      { resources: ['*', 'crontabs'] },
      [
        `resources: Invalid value: ["*","crontabs"]: if '*' is present, must not specify other resources without subresources`,
      ],
    ],
    [{ resources: ['*', 'crontabs/status'] }, []],
    [
      { resources: ['a/*', 'a/status'] },
      [`resources[1]: Invalid value: "a/status": if 'a/*' is present, must not specify a/status`],
    ],
    [
      { resources: ['*/status', 'a/status'] },
      [`resources[1]: Invalid value: "a/status": if '*/status' is present, must not specify a/status`],
    ],
    [
      { scope: 'Everywhere' },
      ['scope: Unsupported value: "Everywhere": supported values: "*", "Cluster", "Namespaced"'],
    ],
  ])('rules with %j', (change, expected) => {
    expect(ruled(change)).toEqual(expected);
  });

  it.each([
    ['https://h:8443/a/b', []],
    ['http://h', [`Invalid value: "http": 'https' is the only allowed URL scheme${FORM}`]],
    ['//h', [`Invalid value: "": 'https' is the only allowed URL scheme${FORM}`]],
    ['https:///p', [`Invalid value: "": host must be specified${FORM}`]],
    ['https://u@h', ['Invalid value: "u": user information is not permitted in the URL']],
    [
      'https://h?a=b#c',
      [
        'Invalid value: "c": fragments are not permitted in the URL',
        'Invalid value: "a=b": query parameters are not permitted in the URL',
      ],
    ],
    [
      'https://h/%zz',
      [`Required value: url must be a valid URL: parse "https://h/%zz": invalid URL escape "%zz"${FORM}`],
    ],
    [
      'https://h:port',
      [
        `Required value: url must be a valid URL: parse "https://h:port": invalid port ":port" after host${FORM}`,
      ],
    ],
    [
      'https://[::1',
      [`Required value: url must be a valid URL: parse "https://[::1": missing ']' in host${FORM}`],
    ],
    [
      'https://a b',
      [
        `Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name${FORM}`,
      ],
    ],
    [':x', [`Required value: url must be a valid URL: parse ":x": missing protocol scheme${FORM}`]],
  ])('are checked with the URL %s', (text, expected) => {
    expect(url(text)).toEqual(expected);
  });

  it.each([
    [{ path: '/a/b/' }, []],
    [{ name: '' }, ['namespace: Required value']],
    [{ port: 0 }, ['port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive']],
    [{ path: 'ab' }, [`path: Invalid value: "ab": must start with a '/'`]],
    [{ path: '/a//b' }, ['path: Invalid value: "/a//b": segment[1] may not be empty']],
  ])('service with %j', (change, expected) => {
    expect(service(change)).toEqual(expected);
  });

  it('increment the generation with their webhooks', () => {
    const changed = { ...good, timeoutSeconds: 5 };
    expect(validating.update({ webhooks: [changed] }, { webhooks: [good] }).object.metadata.generation).toBe(
      2,
    );
    expect(
      validating.update(
        { metadata: { generation: 1, labels: { a: 'b' } }, webhooks: [good] },
        { webhooks: [good] },
      ).object.metadata.generation,
    ).toBe(1);
  });

  it('may keep in an update what an older server accepted', () => {
    const old = {
      webhooks: [
        { ...good, sideEffects: 'Some', admissionReviewVersions: ['v0'] },
        { ...good, sideEffects: 'Unknown' },
      ],
    };
    expect(validating.update(old, old).faults).toEqual([]);
    expect(
      validating.update({ webhooks: [{ ...good, sideEffects: 'Some' }] }, { webhooks: [good] }).faults,
    ).toHaveLength(1);
  });

  it('show how many webhooks they have', () => {
    expect(mutating.cells({ webhooks: [good] })).toEqual(['a', 1, '<unknown>']);
    expect(validating.columnNames).toEqual(['Name', 'Webhooks', 'Age']);
  });
});
