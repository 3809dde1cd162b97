import { expect, it } from 'vitest';
import { parseAuditPolicy } from './parse-policy.ts';
import { compileAuditPolicy } from './policy.ts';

const policy = (...rules: object[]) =>
  JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
const jane = { name: 'jane', uid: '', groups: ['devs'], extra: {} };
const pods = {
  user: jane,
  verb: 'get',
  isResourceRequest: true,
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: 'p',
  path: '/api/v1/namespaces/a/pods/p',
};
const status = { ...pods, subresource: 'status' };
const metrics = {
  ...pods,
  isResourceRequest: false,
  resource: '',
  namespace: '',
  name: '',
  path: '/metrics/x',
};

it.each<[string, object, object, boolean]>([
  ['everything', {}, metrics, true],
  ['a user', { users: ['jane'] }, pods, true],
  ['another user', { users: ['joe'] }, pods, false],
  ['one of the groups', { userGroups: ['ops', 'devs'] }, pods, true],
  ['none of the groups', { userGroups: ['ops'] }, pods, false],
  ['a verb', { verbs: ['list'] }, pods, false],
  ['a namespace', { namespaces: ['a'] }, pods, true],
  ['no namespace', { namespaces: [''] }, pods, false],
  ['no path, by namespaces', { namespaces: [''] }, metrics, false],
  ['a group', { resources: [{ group: '' }] }, status, true],
  ['another group', { resources: [{ group: 'apps' }] }, pods, false],
  ['all groups', { resources: [{ group: '*' }] }, pods, true],
  ['a resource', { resources: [{ group: '', resources: ['pods'] }] }, pods, true],
  ['no subresource, by its resource', { resources: [{ group: '', resources: ['pods'] }] }, status, false],
  ['a subresource', { resources: [{ group: '', resources: ['pods/status'] }] }, status, true],
  ['subresources of all', { resources: [{ group: '', resources: ['*/status'] }] }, status, true],
  ['no object by */status', { resources: [{ group: '', resources: ['*/status'] }] }, pods, false],
  ['a resource with subresources', { resources: [{ group: '', resources: ['pods/*'] }] }, status, true],
  ['a resource by its subresources', { resources: [{ group: '', resources: ['pods/*'] }] }, pods, true],
  ['a name', { resources: [{ group: '', resources: ['pods'], resourceNames: ['p'] }] }, pods, true],
  ['another name', { resources: [{ group: '', resources: ['pods'], resourceNames: ['q'] }] }, pods, false],
  ['a path', { nonResourceURLs: ['/metrics/x'] }, metrics, true],
  ['paths by their beginning', { nonResourceURLs: ['/metrics*'] }, metrics, true],
  ['other paths', { nonResourceURLs: ['/version'] }, metrics, false],
  ['no resource, by paths', { nonResourceURLs: ['*'] }, pods, false],
])('a rule matches %s', (_, rule, attributes, matches) => {
  const termsOf = compileAuditPolicy(parseAuditPolicy(policy({ level: 'Metadata', ...rule })));
  expect(termsOf(attributes as never).level).toBe(matches ? 'Metadata' : 'None');
});

it('the first rule that matches decides', () => {
  const rules = policy({ level: 'None', users: ['jane'] }, { level: 'Request' });
  expect(compileAuditPolicy(parseAuditPolicy(rules))(pods as never).level).toBe('None');
});

it('stages that the policy and the rule omit are both omitted', () => {
  const text = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules: [{level: Request, omitStages: [Panic], omitManagedFields: false}]`;
  const terms = compileAuditPolicy(parseAuditPolicy(text))(pods as never);
  expect([...terms.omitStages]).toEqual(['RequestReceived', 'Panic']);
  expect(terms.omitManagedFields).toBe(false);
});

it.each<[string, string, string]>([
  ['another kind', '{}', 'unknown group version field , Kind= in policy'],
  ['no rule', policy(), 'loaded illegal policy with 0 rules'],
  ['no level', policy({}), 'rules[0].level: Required value'],
  [
    'an unknown level',
    policy({ level: 'All' }),
    'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  [
    'an unknown stage',
    policy({ level: 'None', omitStages: ['Never'] }),
    'rules[0].omitStages[0]: Invalid value: "Never": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
  [
    'a path without a slash',
    policy({ level: 'None', nonResourceURLs: ['x'] }),
    `rules[0].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a '/' character`,
  ],
  [
    'a wildcard within a path',
    policy({ level: 'None', nonResourceURLs: ['/a*b'] }),
    `Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
  ],
  [
    'resources and paths',
    policy({ level: 'None', nonResourceURLs: ['/a'], namespaces: ['a'] }),
    'Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    'a group with a version',
    policy({ level: 'None', resources: [{ group: 'a/v1' }] }),
    'rules[0].resources.group: Invalid value: "a/v1": a lowercase RFC 1123 subdomain',
  ],
  [
    'names without resources',
    policy({ level: 'None', resources: [{ group: '', resourceNames: ['a'] }] }),
    'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
  ],
  ['a text for a list', policy({ level: 'None', users: 'a' }), 'the field rules[0].users must be a list'],
])('a policy with %s is refused', (_, text, message) => {
  expect(() => parseAuditPolicy(text)).toThrow(message);
});

it('a policy with an unknown field is used, with a warning', () => {
  const warnings: string[] = [];
  parseAuditPolicy(policy({ level: 'None', user: ['a'] }), (text) => warnings.push(text));
  expect(warnings).toEqual([
    'Audit policy contains errors, falling back to lenient decoding: unknown field "rules[0].user"',
  ]);
});
