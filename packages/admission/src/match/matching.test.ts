import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mappingFor, subject } from '../testing/test-host.ts';
import { matchedMapping } from './matched-mapping.ts';
import { compileRule, type RuleSource } from './rule.ts';

const rule: RuleSource = {
  operations: ['*'],
  apiGroups: ['g.example.com'],
  apiVersions: ['v1'],
  resources: ['crontabs'],
};
const matches = (change: RuleSource, about = {}) =>
  compileRule({ ...rule, ...change }).matches(subject(about));

it.each<[RuleSource, object, boolean]>([
  [{}, {}, true],
  [{ operations: ['CREATE'] }, {}, true],
  [{ operations: ['UPDATE', 'DELETE'] }, {}, false],
  [{ operations: [] }, {}, false],
  [{ apiGroups: ['*'] }, {}, true],
  [{ apiGroups: [''] }, {}, false],
  [{ apiVersions: ['v2', 'v1'] }, {}, true],
  [{ apiVersions: ['v2'] }, {}, false],
  [{ resources: ['*'] }, {}, true],
  [{ resources: ['*'] }, { subresource: 'status' }, false],
  [{ resources: ['*/*'] }, { subresource: 'status' }, true],
  [{ resources: ['*/*'] }, {}, true],
  [{ resources: ['crontabs/*'] }, {}, true],
  [{ resources: ['crontabs/*'] }, { subresource: 'scale' }, true],
  [{ resources: ['*/status'] }, { subresource: 'status' }, true],
  [{ resources: ['*/status'] }, {}, false],
  [{ resources: ['crontabs/status'] }, { subresource: 'scale' }, false],
  [{ resources: ['crontab'] }, {}, false],
  [{ scope: 'Namespaced' }, {}, true],
  [{ scope: 'Namespaced' }, { namespace: '' }, false],
  [{ scope: 'Cluster' }, {}, false],
  [{ scope: 'Cluster' }, { namespace: '' }, true],
  [{ scope: '*' }, { namespace: '' }, true],
  [{ scope: 'Elsewhere' }, {}, false],
])('a rule with %j on a request with %j: %s', (change, about, expected) => {
  expect(matches(change, about)).toBe(expected);
});

it('matches no less when a list is widened to everything', () => {
  const some = (...items: string[]) => fc.subarray(items);
  const rules = fc.record({
    operations: some('CREATE', 'UPDATE', 'DELETE'),
    apiGroups: some('', 'g.example.com'),
    apiVersions: some('v1', 'v2'),
    resources: some('crontabs', 'crontabs/status', '*/scale', 'gadgets'),
    scope: fc.constantFrom('Cluster', 'Namespaced'),
  });
  const requests = fc.record({
    operation: fc.constantFrom('CREATE' as const, 'UPDATE' as const),
    subresource: fc.constantFrom('', 'status', 'scale'),
    namespace: fc.constantFrom('', 'default'),
  });
  const wider: RuleSource[] = [
    { operations: ['*'] },
    { apiGroups: ['*'] },
    { apiVersions: ['*'] },
    { resources: ['*/*'] },
    { scope: '*' },
  ];
  fc.assert(
    fc.property(rules, requests, fc.constantFrom(...wider), (narrow, request, wide) => {
      if (compileRule(narrow).matches(subject(request)))
        expect(compileRule({ ...narrow, ...wide }).matches(subject(request))).toBe(true);
    }),
  );
});

it('treats a namespace as cluster-scoped, although its namespace is itself', () => {
  const namespaces = { resource: { group: '', version: 'v1', resource: 'namespaces' }, namespace: 'default' };
  const core = { apiGroups: [''], resources: ['namespaces'] };
  expect(matches({ ...core, scope: 'Cluster' }, namespaces)).toBe(true);
  expect(matches({ ...core, scope: 'Namespaced' }, namespaces)).toBe(false);
});

const versionOf = (
  rules: RuleSource[],
  policy: 'Exact' | 'Equivalent',
  equivalents = [mappingFor('v2'), mappingFor('v3')],
) =>
  matchedMapping(
    rules.map((change) => compileRule({ ...rule, ...change })),
    policy,
    subject({ equivalents }),
  )?.kind.version;

it.each<[RuleSource[], 'Exact' | 'Equivalent', string | undefined]>([
  [[{ apiVersions: ['v1'] }], 'Exact', 'v1'],
  [[{ apiVersions: ['v2'] }], 'Exact', undefined],
  [[{ apiVersions: ['v2'] }], 'Equivalent', 'v2'],
  [[{ apiVersions: ['v3', 'v2'] }], 'Equivalent', 'v2'],
  [[{ apiVersions: ['v3'] }, { apiVersions: ['v2'] }], 'Equivalent', 'v3'],
  [[{ apiVersions: ['v2'] }, { apiVersions: ['*'] }], 'Equivalent', 'v1'],
  [[{ apiVersions: ['v9'] }], 'Equivalent', undefined],
  [[], 'Equivalent', undefined],
])('rules %j with %s see a request for v1 in %s', (rules, policy, expected) => {
  expect(versionOf(rules, policy)).toBe(expected);
});

it('checks names only if a rule has some', () => {
  const named = [compileRule({ ...rule, resourceNames: ['a', 'b'] })];
  expect(matchedMapping(named, 'Exact', subject(), 'a')).toBeDefined();
  expect(matchedMapping(named, 'Exact', subject(), 'c')).toBeUndefined();
  expect(matchedMapping(named, 'Exact', subject(), '')).toBeUndefined();
});
