import { describe, expect, it } from 'vitest';
import { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } from './admission-policy.ts';
import { Trial } from './trial.ts';

const policies = new Trial(validatingAdmissionPolicies);
const bindings = new Trial(validatingAdmissionPolicyBindings);
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
const good = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
const faults = (change: object) =>
  policies.faults({ spec: { ...good, ...change } }).map((text) => text.replace('spec.', ''));
const validation = (change: object) =>
  faults({ validations: [{ expression: 'true', ...change }] }).map((text) =>
    text.replace('validations[0].', ''),
  );
const bound = (change: object) =>
  bindings
    .faults({ spec: { policyName: 'p', validationActions: ['Deny'], ...change } })
    .map((text) => text.replace('spec.', ''));

describe('policies', () => {
  it('get the defaults of kube-apiserver', () => {
    expect(policies.create({ spec: good, status: { observedGeneration: 3 } })).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          resourceRules: [{ ...rule, scope: '*' }],
        },
      },
      status: {},
    });
  });

  it.each([
    [{}, []],
    [{ matchConstraints: undefined }, ['matchConstraints: Required value']],
    [{ matchConstraints: {} }, ['matchConstraints.resourceRules: Required value']],
    [
      { matchConstraints: { resourceRules: [{ ...rule, resourceNames: ['a', 'a'] }] } },
      ['matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "a"'],
    ],
    [
      { failurePolicy: 'Retry' },
      ['failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"'],
    ],
    [
      { validations: [] },
      [
        'validations: Required value: validations or auditAnnotations must contain at least one item',
        'auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      { paramKind: { apiVersion: 'a/b/c', kind: 'K' } },
      ['paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [{ paramKind: { apiVersion: 'v1' } }, ['paramKind.kind: Required value']],
    [
      { variables: [{ name: 'for', expression: '1' }] },
      ['variables[0].name: Invalid value: "for": must be a valid CEL identifier'],
    ],
    [
      { variables: [{ name: 'a', expression: 'variables.b' }] },
      [
        `variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field 'b'\n | variables.b\n | .........^`,
      ],
    ],
    [
      { matchConditions: [{ name: 'c', expression: 'params.a' }] },
      expect.arrayContaining([expect.stringContaining("undeclared reference to 'params'")]),
    ],
    [
      { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
      [
        'auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
      ],
    ],
    [
      { auditAnnotations: [{ key: 'not a key', valueExpression: "'a'" }] },
      expect.arrayContaining([
        expect.stringContaining('auditAnnotations[0].key: Invalid value: "a/not a key"'),
      ]),
    ],
  ])('are validated with %j', (change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  it.each([
    [{ expression: ' ' }, ['expression: Required value: expression is not specified']],
    [{ expression: '1' }, ['expression: Invalid value: "1": must evaluate to bool but got int']],
    [{ message: ' ' }, ['message: Invalid value: " ": must be non-empty if specified']],
    [{ message: 'a\nb' }, ['message: Invalid value: "a\\nb": must not contain line breaks']],
    [
      { messageExpression: 'true' },
      ['messageExpression: Invalid value: "true": must evaluate to string but got bool'],
    ],
    [
      { messageExpression: "authorizer.path('/a').check('get').reason()" },
      [expect.stringContaining("undeclared reference to 'authorizer'")],
    ],
    [
      { reason: 'Conflict' },
      [
        'reason: Unsupported value: "Conflict": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      {
        expression:
          "authorizer.requestResource.check('get').allowed() && namespaceObject.metadata.name == request.namespace",
      },
      [],
    ],
  ])('validate a validation with %j', (change, expected) => {
    expect(validation(change)).toEqual(expected);
  });

  it('increment the generation when spec changes', () => {
    const changed = { ...good, failurePolicy: 'Ignore' };
    expect(policies.update({ spec: changed }, { spec: good }).object.metadata.generation).toBe(2);
  });

  it('change only status in an update of that subresource', () => {
    const changed = { ...good, failurePolicy: 'Ignore' };
    const { object } = policies.update(
      { spec: changed, status: { observedGeneration: 1 } },
      { spec: good },
      'status',
    );
    expect(object).toMatchObject({
      metadata: { generation: 1 },
      spec: { failurePolicy: 'Fail' },
      status: { observedGeneration: 1 },
    });
  });

  it('show their parameters and their policy', () => {
    expect(policies.cells({ spec: { ...good, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } })).toEqual(
      ['a', 1, 'v1/ConfigMap', '<unknown>'],
    );
    expect(bindings.cells({ spec: { policyName: 'p', paramRef: { name: 'n' } } })).toEqual([
      'a',
      'p',
      '*/n',
      '<unknown>',
    ]);
  });
});

describe('bindings', () => {
  it.each([
    [{}, []],
    [{ policyName: '' }, ['policyName: Required value']],
    [
      { validationActions: [] },
      ['validationActions: Required value: at least one validation action is required'],
    ],
    [{ validationActions: ['Deny', 'Deny'] }, ['validationActions[1]: Duplicate value: "Deny"']],
    [
      { validationActions: ['Refuse'] },
      ['validationActions[0]: Unsupported value: "Refuse": supported values: "Audit", "Deny", "Warn"'],
    ],
    [
      { validationActions: ['Deny', 'Warn'] },
      [expect.stringContaining('must not contain both Deny and Warn')],
    ],
    [
      { paramRef: {} },
      [
        'paramRef: Required value: one of name or selector must be specified',
        'paramRef.parameterNotFoundAction: Required value',
      ],
    ],
    [
      { paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } },
      [
        'paramRef.name: Forbidden: name and selector are mutually exclusive',
        'paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
    ],
    [
      { matchResources: { matchPolicy: 'exact' } },
      ['matchResources.matchPolicy: Unsupported value: "exact": supported values: "Equivalent", "Exact"'],
    ],
  ])('are validated with %j', (change, expected) => {
    expect(bound(change)).toEqual(expected);
  });
});
