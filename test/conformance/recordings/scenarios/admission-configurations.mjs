// Webhook configurations as objects: what they may hold, their defaults, and that no webhook is asked about
// them.
import { admissionAnswer } from '../lib/webhook.mjs';
import {
  CONFIGURATIONS,
  configuration,
  MERGE,
  MUTATING,
  rule,
  scene,
  take,
  VALIDATING,
  webhook,
} from './helpers/admission.mjs';

const hook = { url: 'https://hook.example.com', caBundle: undefined };
const good = (rest = {}) => ({ ...webhook('a.conf.example.com', hook, rule('g.conf.example.com')), ...rest });
const ruled = (rest) => good({ rules: [{ ...rule('g.conf.example.com'), ...rest }] });
const reached = (clientConfig) => good({ clientConfig });
const service = (rest) => reached({ service: { namespace: 'default', name: 'svc', ...rest } });
const condition = (expression, name = 'c') => good({ matchConditions: [{ name, expression }] });
const settings = (b) => b.webhooks?.map(({ name, rules, clientConfig, ...rest }) => rest) ?? null;

/** Each case is tried as a dry run on its own. */
async function tryAll(t, kind, cases, pick = settings) {
  for (const [label, webhooks, query = ''] of cases) {
    await t.step(label, 'POST', `${CONFIGURATIONS[kind]}?dryRun=All${query}`, {
      body: configuration(kind, 'admission-faults.conf.example.com', webhooks && [webhooks].flat()),
      pick,
    });
  }
}

export async function webhookFaults(t) {
  await tryAll(t, VALIDATING, [
    ['no webhooks', undefined],
    ['an empty list of webhooks', []],
    ['no name', good({ name: undefined })],
    ['a name of one part', good({ name: 'a' })],
    ['a name of two parts', good({ name: 'a.b' })],
    ['a name in upper case', good({ name: 'A.conf.example.com' })],
    ['two webhooks with one name', [good(), good()]],
    ['no sideEffects', good({ sideEffects: undefined })],
    ['sideEffects Some', good({ sideEffects: 'Some' })],
    ['sideEffects Unknown', good({ sideEffects: 'Unknown' })],
    ['sideEffects NoneOnDryRun', good({ sideEffects: 'NoneOnDryRun' })],
    ['no admissionReviewVersions', good({ admissionReviewVersions: undefined })],
    ['empty admissionReviewVersions', good({ admissionReviewVersions: [] })],
    ['only unknown admissionReviewVersions', good({ admissionReviewVersions: ['v2', 'v3'] })],
    ['an unknown one beside a known one', good({ admissionReviewVersions: ['v2', 'v1beta1'] })],
    ['an admissionReviewVersion twice', good({ admissionReviewVersions: ['v1', 'v1'] })],
    ['an admissionReviewVersion that is no name', good({ admissionReviewVersions: ['v1', 'V_2'] })],
    ['an unknown failurePolicy', good({ failurePolicy: 'Retry' })],
    ['failurePolicy Ignore', good({ failurePolicy: 'Ignore' })],
    ['an unknown matchPolicy', good({ matchPolicy: 'exact' })],
    ['matchPolicy Exact', good({ matchPolicy: 'Exact' })],
    ['timeoutSeconds 0', good({ timeoutSeconds: 0 })],
    ['timeoutSeconds 31', good({ timeoutSeconds: 31 })],
    ['timeoutSeconds 30', good({ timeoutSeconds: 30 })],
    ['timeoutSeconds 1', good({ timeoutSeconds: 1 })],
    ['timeoutSeconds as text', good({ timeoutSeconds: '5' })],
    [
      'a selector with an unknown operator',
      good({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is', values: ['b'] }] } }),
    ],
    [
      'a selector In without values',
      good({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    ],
    [
      'a selector Exists with values',
      good({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } }),
    ],
    ['a selector with a bad key', good({ namespaceSelector: { matchLabels: { 'not a key': 'b' } } })],
    ['a selector with a bad value', good({ namespaceSelector: { matchLabels: { a: 'not a value' } } })],
    [
      'reinvocationPolicy in a validating webhook',
      good({ reinvocationPolicy: 'Never' }),
      '&fieldValidation=Strict',
    ],
    ['an unknown field', good({ extra: 1 }), '&fieldValidation=Strict'],
  ]);
}

export async function ruleAndClientFaults(t) {
  const rules = (b) => b.webhooks[0].rules ?? null;
  await tryAll(
    t,
    VALIDATING,
    [
      ['no rules', good({ rules: undefined })],
      ['no operations', ruled({ operations: undefined })],
      ['empty operations', ruled({ operations: [] })],
      ['an operation in lower case', ruled({ operations: ['create'] })],
      ['an operation PATCH', ruled({ operations: ['PATCH'] })],
      ['an operation CONNECT', ruled({ operations: ['CONNECT'] })],
      ['all operations and one', ruled({ operations: ['*', 'CREATE'] })],
      ['no apiGroups', ruled({ apiGroups: undefined })],
      ['all groups and one', ruled({ apiGroups: ['*', 'a.example.com'] })],
      ['the empty group', ruled({ apiGroups: [''] })],
      ['no apiVersions', ruled({ apiVersions: [] })],
      ['an empty apiVersion', ruled({ apiVersions: [''] })],
      ['all versions and one', ruled({ apiVersions: ['v1', '*'] })],
      ['no resources', ruled({ resources: [] })],
      ['an empty resource', ruled({ resources: [''] })],
      ['all resources and one', ruled({ resources: ['*', 'crontabs'] })],
      ['all resources and a subresource', ruled({ resources: ['*', 'crontabs/status'] })],
      ['everything and one', ruled({ resources: ['*/*', 'crontabs'] })],
      ['all subresources and one', ruled({ resources: ['crontabs/*', 'crontabs/status'] })],
      ['a subresource of all and of one', ruled({ resources: ['*/status', 'crontabs/status'] })],
      ['an unknown scope', ruled({ scope: 'Everywhere' })],
      ['scope Cluster', ruled({ scope: 'Cluster' })],
    ],
    rules,
  );
  await tryAll(
    t,
    VALIDATING,
    [
      ['no clientConfig', reached(undefined)],
      ['neither url nor service', reached({})],
      ['both url and service', reached({ url: hook.url, service: { namespace: 'a', name: 'b' } })],
      ['an http url', reached({ url: 'http://hook.example.com' })],
      ['a url without a scheme', reached({ url: '//hook.example.com' })],
      ['a url without a host', reached({ url: 'https:///path' })],
      ['a url with a user', reached({ url: 'https://user@hook.example.com' })],
      ['a url with a query', reached({ url: 'https://hook.example.com?a=b' })],
      ['a url with a fragment', reached({ url: 'https://hook.example.com#a' })],
      ['a url that cannot be read', reached({ url: 'https://hook.example.com/%zz' })],
      ['a url with a port and path', reached({ url: 'https://hook.example.com:8443/a/b' })],
      ['a service', service()],
      // The two faults below are reported under each other's name.
      ['a service without a name', service({ name: undefined })],
      ['a service without a namespace', service({ namespace: undefined })],
      ['a service with port 0', service({ port: 0 })],
      ['a service with port 65536', service({ port: 65536 })],
      ['a service path without a slash', service({ path: 'ab' })],
      ['a service path with an empty part', service({ path: '/a//b' })],
      ['a service path with a bad part', service({ path: '/A_b' })],
      ['a caBundle that is not base64', reached({ url: hook.url, caBundle: '***' })],
      [
        'a caBundle that is no certificate',
        reached({ url: hook.url, caBundle: Buffer.from('none').toString('base64') }),
      ],
    ],
    (b) => b.webhooks[0].clientConfig,
  );
}

export async function matchConditionFaults(t) {
  await tryAll(
    t,
    VALIDATING,
    [
      ['a condition', condition('request.operation == "CREATE" && object.metadata.name != "x"')],
      ['a condition without a name', condition('true', '')],
      ['a condition with a bad name', condition('true', 'not a name')],
      ['a condition with a qualified name', condition('true', 'a.example.com/c')],
      [
        'two conditions with one name',
        good({
          matchConditions: [
            { name: 'c', expression: 'true' },
            { name: 'c', expression: 'false' },
          ],
        }),
      ],
      ['a condition without an expression', condition(undefined)],
      ['a condition that does not parse', condition('object.')],
      ['a condition that is no boolean', condition('"text"')],
      ['a condition on an unknown variable', condition('nothing == 1')],
      ['a condition on params', condition('params.a == 1')],
      ['a condition on an unknown field of the request', condition('request.nothing == 1')],
      ['a condition on an unknown function', condition('object.metadata.name.shout() == "A"')],
      [
        'a condition on the authorizer',
        condition('authorizer.group("g").resource("r").check("get").allowed()'),
      ],
      ['a condition on the old object', condition('oldObject == null || has(oldObject.spec)')],
      [
        '64 conditions',
        good({
          matchConditions: Array.from({ length: 64 }, (_, i) => ({ name: `c${i}`, expression: 'true' })),
        }),
      ],
      [
        '65 conditions',
        good({
          matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: 'true' })),
        }),
      ],
    ],
    (b) => b.webhooks[0].matchConditions.length,
  );
}

export async function mutatingFaults(t) {
  await tryAll(t, MUTATING, [
    ['the defaults', good()],
    ['reinvocationPolicy IfNeeded', good({ reinvocationPolicy: 'IfNeeded' })],
    ['an unknown reinvocationPolicy', good({ reinvocationPolicy: 'Always' })],
    ['a name of two parts', good({ name: 'a.b' })],
    ['two webhooks with one name', [good(), good()]],
    ['no sideEffects', good({ sideEffects: undefined })],
    ['no admissionReviewVersions', good({ admissionReviewVersions: undefined })],
    ['an unknown failurePolicy', good({ failurePolicy: 'Retry' })],
    ['timeoutSeconds 31', good({ timeoutSeconds: 31 })],
    ['no resources', ruled({ resources: [] })],
    ['an http url', reached({ url: 'http://hook.example.com' })],
    ['a condition that does not parse', condition('object.')],
  ]);
}

export async function lifecycle(t) {
  for (const kind of [VALIDATING, MUTATING]) {
    const name = 'admission-lifecycle.conf.example.com';
    const url = `${CONFIGURATIONS[kind]}/${name}`;
    await t.client.request('DELETE', url);
    t.onEnd(() => t.client.request('DELETE', url));
    const body = configuration(kind, name, [good()], { labels: { lifecycle: 'yes' } });
    const created = await t.step(`${kind}: create with defaults`, 'POST', CONFIGURATIONS[kind], { body });
    await t.step(`${kind}: create again`, 'POST', CONFIGURATIONS[kind], { body });
    await t.step(`${kind}: create without a name`, 'POST', CONFIGURATIONS[kind], {
      body: { ...body, metadata: {} },
    });
    await t.step(`${kind}: create with a bad name`, 'POST', CONFIGURATIONS[kind], {
      body: { ...body, metadata: { name: 'Not_a_name' } },
    });
    const put = (label, webhooks, metadata) =>
      t.step(`${kind}: ${label}`, 'PUT', url, {
        body: { ...created, metadata: { ...created.metadata, ...metadata }, webhooks },
        pick: (b) => ({ generation: b.metadata.generation, webhooks: settings(b) }),
      });
    await put('update without a change', created.webhooks);
    await put('update a label', created.webhooks, { labels: { lifecycle: 'still' } });
    const { resourceVersion } = await t.setup('GET', url).then((b) => b.metadata);
    await put('update a webhook', [{ ...created.webhooks[0], timeoutSeconds: 5 }], { resourceVersion });
    await put('update with a stale resourceVersion', created.webhooks, { resourceVersion });
    await put('update without a resourceVersion', created.webhooks, { resourceVersion: undefined });
    await put('update with a fault', [{ ...created.webhooks[0], sideEffects: 'Some' }], {
      resourceVersion: (await t.setup('GET', url)).metadata.resourceVersion,
    });
    await t.step(`${kind}: merge patch`, 'PATCH', url, {
      body: { webhooks: [] },
      type: MERGE,
      pick: (b) => ({ generation: b.metadata.generation, webhooks: b.webhooks ?? null }),
    });
    await t.step(`${kind}: list by label`, 'GET', `${CONFIGURATIONS[kind]}?labelSelector=lifecycle`, {
      pick: (b) => [b.kind, b.apiVersion, b.items.map((i) => i.metadata.name)],
    });
    await t.step(`${kind}: delete`, 'DELETE', url, {
      pick: ({ kind, status, details }) => ({ kind, status, details }),
    });
    await t.step(`${kind}: read it again`, 'GET', url);
  }
  await t.step(
    'the older version is not served',
    'GET',
    '/apis/admissionregistration.k8s.io/v1beta1/validatingwebhookconfigurations',
  );
}

export async function notAboutThemselves(t) {
  const { configure, all, make } = await scene(t, 'admission-self');
  const deny = await t.webhook(admissionAnswer(() => ({ allowed: false, message: 'never' })));
  const own = rule('admissionregistration.k8s.io', {
    resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
  });
  const endValidating = await configure(VALIDATING, 'v', [webhook('v.self.conf.example.com', deny, own)]);
  const endMutating = await configure(MUTATING, 'm', [webhook('m.self.conf.example.com', deny, own)]);
  for (const kind of [VALIDATING, MUTATING]) {
    const url = `${CONFIGURATIONS[kind]}/admission-self-other.conf.example.com`;
    await t.client.request('DELETE', url);
    t.onEnd(() => t.client.request('DELETE', url));
    await t.step(`create a ${kind}`, 'POST', CONFIGURATIONS[kind], {
      body: configuration(kind, 'admission-self-other.conf.example.com', []),
      pick: (b) => b.metadata.name,
    });
    await t.step(`patch a ${kind}`, 'PATCH', url, {
      body: { metadata: { labels: { a: 'b' } } },
      type: MERGE,
      pick: (b) => b.metadata.labels,
    });
    await t.step(`delete a ${kind}`, 'DELETE', url, { pick: (b) => b.status });
  }
  t.note('no webhook was asked', take(deny).length);
  await endMutating();
  await endValidating();
  await t.step('an object once the configurations are gone', 'POST', all, {
    body: make('a'),
    pick: (b) => b.metadata.name,
  });
}
