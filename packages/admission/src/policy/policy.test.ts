import { describe, expect, it } from 'vitest';
import { cronTabRule, PolicyTestHost } from '../testing/policy-test-host.ts';
import { cronTab, subject } from '../testing/test-host.ts';
import { type BindingSpec, compileBinding, compilePolicy, type PolicySpec } from './policy.ts';
import { PolicySet } from './policy-set.ts';
import { validateByPolicies } from './validate-by-policies.ts';

async function run(spec: Partial<PolicySpec>, binding: Partial<BindingSpec> = {}, change = {}) {
  const host = new PolicyTestHost();
  const policy = compilePolicy('p', {
    matchConstraints: { namespaceSelector: {}, objectSelector: {}, resourceRules: [cronTabRule] },
    ...spec,
  });
  const bound = compileBinding('b', { policyName: 'p', validationActions: ['Deny'], ...binding });
  const set = new PolicySet([policy], [bound]);
  const refused = await validateByPolicies(set, subject(change), cronTab({ replicas: 2 }), host).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { host, refused };
}

describe('a policy', () => {
  it('is evaluated for each object of its parameters', async () => {
    const { host, refused } = await run(
      {
        paramKind: { apiVersion: 'v1', kind: 'Limit' },
        validations: [
          {
            expression: 'object.spec.replicas <= params.max',
            messageExpression: "'max ' + string(params.max)",
          },
        ],
      },
      { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
    );
    expect(refused).toBe(
      `crontabs.g.example.com "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: max 1`,
    );
    expect(host.checks).toMatchObject([
      { policy: 'p', binding: 'b', action: 'deny', errorType: 'invalid_error' },
    ]);
  });

  it('records its audit annotations', async () => {
    const { host, refused } = await run({
      auditAnnotations: [
        { key: 'replicas', valueExpression: "'has ' + string(object.spec.replicas)" },
        { key: 'nothing', valueExpression: "''" },
      ],
    });
    expect(refused).toBeUndefined();
    expect([...host.annotations]).toEqual([['p/replicas', 'has 2']]);
  });

  it('is stopped when it costs too much', async () => {
    const over = (name: string, inner: string) => `[1,2,3,4,5,6,7,8,9].all(${name}, ${inner})`;
    const nested = (names: string) =>
      [...names].reduceRight((inner, name) => over(name, inner), `${[...names].join(' + ')} > 0`);
    const loop = nested('abcdef');
    expect((await run({ validations: [{ expression: loop }] })).refused).toContain(
      'operation cancelled: actual cost limit exceeded',
    );
    expect(
      (await run({ failurePolicy: 'Ignore', validations: [{ expression: loop }] })).refused,
    ).toBeUndefined();
    const half = nested('abcde');
    const many = Array.from({ length: 40 }, () => ({ expression: half }));
    expect((await run({ validations: many })).refused).toContain('running out of cost budget');
  });

  it('evaluates a variable only if it is used', async () => {
    const spec = {
      variables: [
        { name: 'bad', expression: 'object.nothing' },
        { name: 'n', expression: 'object.spec.replicas' },
      ],
      validations: [{ expression: 'variables.n == 2 && variables.n + 1 == 3' }],
    };
    expect((await run(spec)).refused).toBeUndefined();
    const asked = { ...spec, validations: [{ expression: 'variables.bad == 1' }] };
    expect((await run(asked)).refused).toContain(
      'composited variable "bad" fails to evaluate: no such key: nothing',
    );
  });

  it('does not match what its exclusions name', async () => {
    const never = { validations: [{ expression: 'false' }] };
    const constraints = { namespaceSelector: {}, objectSelector: {}, resourceRules: [cronTabRule] };
    expect(
      (
        await run({
          ...never,
          matchConstraints: {
            ...constraints,
            excludeResourceRules: [{ ...cronTabRule, resourceNames: ['a'] }],
          },
        })
      ).refused,
    ).toBeUndefined();
    expect(
      (
        await run({
          ...never,
          matchConstraints: { ...constraints, resourceRules: [{ ...cronTabRule, resourceNames: ['b'] }] },
        })
      ).refused,
    ).toBeUndefined();
    expect((await run(never, {}, { operation: 'CREATE', subresource: 'status' })).refused).toBeUndefined();
    expect((await run(never)).refused).toContain('failed expression: false');
  });
});
