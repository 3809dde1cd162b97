import { describe, expect, it } from 'vitest';
import { Reinvocation } from '../reinvocation.ts';
import { cronTabRule, PolicyTestHost } from '../testing/policy-test-host.ts';
import { cronTab, subject } from '../testing/test-host.ts';
import { mutateByPolicies } from './mutate-by-policies.ts';
import { compileMutatingPolicy, type MutatingPolicySpec, type MutationSource } from './mutating-policy.ts';
import { compileBinding } from './policy.ts';
import { PolicySet } from './policy-set.ts';

const applied = (expression: string): MutationSource => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string): MutationSource => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression },
});

async function run(specs: Partial<MutatingPolicySpec>[], { change = {}, rounds = 1 } = {}) {
  const host = new PolicyTestHost();
  const policies = specs.map((spec, index) =>
    compileMutatingPolicy(`p${index}`, {
      matchConstraints: { namespaceSelector: {}, objectSelector: {}, resourceRules: [cronTabRule] },
      ...spec,
    }),
  );
  const bindings = policies.map(({ name }) => compileBinding(name, { policyName: name }));
  const set = new PolicySet(policies, bindings);
  const reinvocation = new Reinvocation();
  let object = cronTab({ n: 1 });
  for (let round = 0; round < rounds; round++) {
    object = (await mutateByPolicies(set, subject(change), object, host, reinvocation))!;
    if (!reinvocation.startSecondRound()) break;
  }
  return { host, spec: object['spec'] };
}

const refusal = (spec: Partial<MutatingPolicySpec>): Promise<string> =>
  run([spec]).then(
    () => 'no refusal',
    ({ message }: Error) => message.replace(/^policy 'p0' with binding 'p0' denied request: /, ''),
  );

const COUNT = applied('Object{spec: Object.spec{n: object.spec.n + 1}}');

describe('a mutating policy', () => {
  it('sets the fields of an apply configuration', async () => {
    const { spec, host } = await run([{ mutations: [applied('Object{spec: Object.spec{size: "l"}}')] }]);
    expect(spec).toEqual({ n: 1, size: 'l' });
    expect(host.mutations).toMatchObject([{ policy: 'p0', binding: 'p0', errorType: 'no_error' }]);
  });

  it('leaves out the fields whose optional has no value', async () => {
    const expression = 'Object{spec: Object.spec{?a: optional.none(), ?b: object.spec.?n, ?c: object.?none}}';
    expect((await run([{ mutations: [applied(expression)] }])).spec).toEqual({ n: 1, b: 1 });
  });

  it('applies a JSON patch with values of any type', async () => {
    const value = '{"a": [1, 2], "b": [3]}';
    const expression = `[JSONPatch{op: "add", path: "/spec/" + jsonpatch.escapeKey("x/y~z"), value: ${value}},
      JSONPatch{op: "add", path: "/spec/o", value: Object.spec.o{t: duration("90s"), d: 1.5, b: b"x"}}]`;
    expect((await run([{ mutations: [patched(expression)] }])).spec).toEqual({
      n: 1,
      'x/y~z': { a: [1, 2], b: [3] },
      o: { t: '90s', d: 1.5, b: 'eA==' },
    });
  });

  it('leaves the object alone if a test of its patch fails', async () => {
    const expression =
      '[JSONPatch{op: "remove", path: "/spec/n"}, JSONPatch{op: "test", path: "/kind", value: 1}]';
    expect((await run([{ mutations: [patched(expression)] }])).spec).toEqual({ n: 1 });
  });

  it('makes its mutations one after the other, and evaluates variables for each', async () => {
    const variables = [{ name: 'n', expression: 'object.spec.n * 10' }];
    const mutation = applied('Object{spec: Object.spec{n: variables.n}}');
    expect((await run([{ variables, mutations: [mutation, mutation] }])).spec).toEqual({ n: 100 });
  });

  it('does nothing unless its conditions hold, or to what is deleted', async () => {
    const conditions = [{ name: 'c', expression: 'object.spec.n > 1' }];
    expect((await run([{ matchConditions: conditions, mutations: [COUNT] }])).spec).toEqual({ n: 1 });
    const deleted = await run([{ mutations: [COUNT] }], { change: { operation: 'DELETE' } });
    expect(deleted.spec).toEqual({ n: 1 });
  });

  it('runs again after a later change, if it asks for it, and once', async () => {
    const again = { reinvocationPolicy: 'IfNeeded', mutations: [COUNT] };
    const once = { reinvocationPolicy: 'Never', mutations: [COUNT] };
    expect((await run([again, once], { rounds: 5 })).spec).toEqual({ n: 4 });
    expect((await run([once, once], { rounds: 5 })).spec).toEqual({ n: 3 });
    expect((await run([once, again], { rounds: 5 })).spec).toEqual({ n: 4 });
  });

  it('is skipped, mutation by mutation, if it fails and failures are ignored', async () => {
    const mutations = [applied('Object{spec: Object.spec{n: object.spec.none}}'), COUNT];
    expect((await run([{ failurePolicy: 'Ignore', mutations }])).spec).toEqual({ n: 2 });
  });

  it.each([
    ['null', 'null_type'],
    ['{"a": {"b": "c"}}', 'map'],
    ['[[1]]', 'list'],
    ['timestamp("2020-01-01T00:00:00Z")', 'google.protobuf.Timestamp'],
    ['3u', 'uint'],
  ])('refuses %s in an apply configuration, as upstream', async (value, type) => {
    expect(await refusal({ mutations: [applied(`Object{spec: Object.spec{x: ${value}}}`)] })).toMatch(
      `a value of type ${type} cannot be set here`,
    );
  });

  it('takes what an object has as it is', async () => {
    const mutation = applied('Object{spec: Object.spec{copy: [object.metadata], d: 1.5}}');
    const { spec } = await run([{ mutations: [mutation] }]);
    expect(spec).toEqual({ n: 1, copy: [{ name: 'a', namespace: 'default' }], d: 1.5 });
  });

  it('refuses the request if it fails', async () => {
    const none = 'Object{spec: Object.spec{n: object.spec.none}}';
    expect(await refusal({ mutations: [applied(none)] })).toBe(
      `expression '${none}' resulted in error: no such key: none`,
    );
    expect(await refusal({ mutations: [applied('Object{spec: Object.other{}}')] })).toBe(
      'type mismatch: unexpected type name "Object.other", expected "Object.spec", which matches field name path from root Object type',
    );
    expect(await refusal({ mutations: [patched('[JSONPatch{op: "fly", path: "/a"}]')] })).toBe(
      'JSON Patch: Unexpected kind: fly',
    );
    expect(await refusal({ mutations: [applied('1')] })).toBe('must evaluate to Object but got int');
  });
});
