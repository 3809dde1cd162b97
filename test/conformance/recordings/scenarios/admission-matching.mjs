// Which requests a webhook is asked about: rules, selectors, matchPolicy and matchConditions.
import { crd, custom, object, resource, string } from '../lib/fixtures.mjs';
import { admissionAnswer } from '../lib/webhook.mjs';
import {
  brief,
  cronTab,
  MERGE,
  MUTATING,
  rule,
  scene,
  subresources,
  take,
  VALIDATING,
  webhook,
} from './helpers/admission.mjs';

const allow = admissionAnswer(() => ({ allowed: true }));
/**
 * The paths of the webhooks asked. A server may try an update first on an object that is out of date: only
 * the last try counts.
 */
const asked = (hook) => {
  const calls = take(hook);
  const tried = (call) => call.review.request.oldObject?.metadata.resourceVersion;
  return calls
    .filter((c) => tried(c) === tried(calls.at(-1)))
    .map((c) => c.url.split('?')[0].slice(1))
    .sort();
};

export async function rules(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-rules');
  await t.crd(crd(group, 'Gadget', { scope: 'Cluster' }));
  const gadgets = resource(group, 'v1', 'gadgets');
  const hook = await t.webhook(allow);
  const cases = {
    exact: {},
    create: { operations: ['CREATE'] },
    update: { operations: ['UPDATE'] },
    delete: { operations: ['DELETE'] },
    connect: { operations: ['CONNECT'] },
    'create-delete': { operations: ['CREATE', 'DELETE'] },
    'other-version': { apiVersions: ['v2'] },
    'some-versions': { apiVersions: ['v2', 'v1'] },
    'other-group': { apiGroups: ['other.example.com'] },
    'other-resource': { resources: ['gadgets'] },
    singular: { resources: ['crontab'] },
    star: { resources: ['*'] },
    'star-star': { resources: ['*/*'] },
    status: { resources: ['crontabs/status'] },
    scale: { resources: ['crontabs/scale'] },
    sub: { resources: ['crontabs/*'] },
    'any-status': { resources: ['*/status'] },
    both: { resources: ['crontabs', 'crontabs/scale'] },
    namespaced: { resources: ['*'], scope: 'Namespaced' },
    cluster: { resources: ['*'], scope: 'Cluster' },
    'any-scope': { resources: ['*'], scope: '*' },
  };
  const hooks = Object.entries(cases).map(([name, rest]) =>
    webhook(
      `${name}.conf.example.com`,
      hook,
      { ...rule(group), ...rest },
      { path: `/${name}`, matchPolicy: 'Exact' },
    ),
  );
  hooks.push(
    webhook(
      'two-rules.conf.example.com',
      hook,
      [rule(group, { resources: ['gadgets'] }), rule(group, { operations: ['UPDATE'] })],
      { path: '/two-rules' },
    ),
  );
  hooks.push(webhook('no-rules.conf.example.com', hook, [], { path: '/no-rules' }));
  await configure(VALIDATING, 'all', hooks);
  take(hook);
  const requests = [
    ['create', 'POST', all, { body: make('a', { spec: { replicas: 1 } }) }],
    ['update', 'PATCH', at('a'), { body: { spec: { image: 'i' } }, type: MERGE }],
    ['status', 'PATCH', `${at('a')}/status`, { body: { status: { phase: 'p' } }, type: MERGE }],
    ['scale', 'PATCH', `${at('a')}/scale`, { body: { spec: { replicas: 2 } }, type: MERGE }],
    ['read', 'GET', at('a')],
    ['delete', 'DELETE', at('a')],
    ['create of a cluster-scoped object', 'POST', gadgets, { body: custom(group, 'v1', 'Gadget', 'g') }],
    ['delete of a cluster-scoped object', 'DELETE', `${gadgets}/g`],
    ['deletecollection of a cluster-scoped resource with nothing in it', 'DELETE', gadgets],
  ];
  for (const [label, ...request] of requests) {
    await t.setup(...request);
    t.note(`${label}: webhooks asked`, asked(hook));
  }
}

export async function selectors(t) {
  const { group, ns, all, at, make, configure } = await scene(t, 'admission-selectors');
  await t.crd(crd(group, 'Gadget', { scope: 'Cluster' }));
  const gadgets = resource(group, 'v1', 'gadgets');
  const other = await t.namespace(`${ns}-other`);
  await t.setup('PATCH', `/api/v1/namespaces/${ns}`, {
    body: { metadata: { labels: { team: 'red', env: 'test' } } },
    type: MERGE,
  });
  await t.setup('PATCH', `/api/v1/namespaces/${other}`, {
    body: { metadata: { labels: { team: 'blue' } } },
    type: MERGE,
  });
  const hook = await t.webhook(allow);
  const expression = (key, operator, values) => ({ matchExpressions: [{ key, operator, values }] });
  const cases = {
    'ns-empty': { namespaceSelector: {} },
    'ns-red': { namespaceSelector: { matchLabels: { team: 'red' } } },
    'ns-in': { namespaceSelector: expression('team', 'In', ['blue', 'green']) },
    'ns-not-in': { namespaceSelector: expression('env', 'NotIn', ['test']) },
    'ns-exists': { namespaceSelector: expression('env', 'Exists') },
    'ns-name': { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } } },
    'ns-not-name': { namespaceSelector: expression('kubernetes.io/metadata.name', 'NotIn', [ns]) },
    'obj-on': { objectSelector: { matchLabels: { hook: 'on' } } },
    'obj-off': { objectSelector: expression('hook', 'NotIn', ['on']) },
    'obj-none': { objectSelector: expression('hook', 'DoesNotExist') },
    both: {
      namespaceSelector: { matchLabels: { team: 'red' } },
      objectSelector: { matchLabels: { hook: 'on' } },
    },
  };
  await configure(
    VALIDATING,
    'all',
    Object.entries(cases).map(([name, rest]) =>
      webhook(`${name}.conf.example.com`, hook, rule(group, { resources: ['*'] }), {
        path: `/${name}`,
        ...rest,
      }),
    ),
  );
  // The labels of namespaces are known to admission eventually.
  await t.until('the labels of both namespaces to be known', async () => {
    take(hook);
    await t.client.request('POST', `${all}?dryRun=All`, { body: make('p') });
    const red = asked(hook).includes('ns-red');
    await t.client.request('POST', `${resource(group, 'v1', 'crontabs', other)}?dryRun=All`, {
      body: make('p'),
    });
    return red && asked(hook).includes('ns-in');
  });
  const on = { labels: { hook: 'on' } };
  const requests = [
    ['an object without labels', 'POST', all, { body: make('a') }],
    ['an object with the label', 'POST', all, { body: make('b', {}, on) }],
    [
      'the same in another namespace',
      'POST',
      resource(group, 'v1', 'crontabs', other),
      { body: make('b', {}, on) },
    ],
    [
      'an update that adds the label: either object may match',
      'PATCH',
      at('a'),
      { body: { metadata: on }, type: MERGE },
    ],
    [
      'an update that takes the label away',
      'PATCH',
      at('b'),
      { body: { metadata: { labels: null } }, type: MERGE },
    ],
    ['a delete: the old object counts', 'DELETE', at('a')],
    ['a status request', 'PATCH', `${at('b')}/status`, { body: { status: { phase: 'p' } }, type: MERGE }],
    [
      'a cluster-scoped object: a namespaceSelector does not stand in the way',
      'POST',
      gadgets,
      { body: { ...custom(group, 'v1', 'Gadget', 'g'), metadata: { name: 'g', ...on } } },
    ],
  ];
  for (const [label, ...request] of requests) {
    take(hook);
    await t.setup(...request);
    t.note(label, asked(hook));
  }
}

export async function matchPolicy(t) {
  const versions = [
    { name: 'v1', schema: cronTab, subresources },
    { name: 'v2', schema: cronTab, subresources },
    { name: 'v3', schema: cronTab, subresources, served: false },
  ];
  const { group, ns, configure } = await scene(t, 'admission-equivalent', { versions });
  const hook = await t.webhook(allow);
  const at = (v) => resource(group, v, 'crontabs', ns);
  const registered = (name, apiVersions, rest = {}) =>
    webhook(
      `${name}.conf.example.com`,
      hook,
      rule(group, { apiVersions, resources: ['crontabs', 'crontabs/*'], ...rest }),
      { path: `/${name}`, matchPolicy: /equivalent/.test(name) ? 'Equivalent' : 'Exact' },
    );
  await configure(VALIDATING, 'all', [
    registered('exact-v1', ['v1']),
    registered('exact-v2', ['v2']),
    registered('equivalent-v1', ['v1']),
    registered('equivalent-v2', ['v2']),
    registered('equivalent-v3', ['v3']),
    registered('equivalent-v9', ['v9']),
    registered('equivalent-both', ['v2', 'v1']),
    registered('equivalent-any', ['*']),
    registered('equivalent-other', ['v1'], { apiGroups: ['other.example.com'] }),
  ]);
  take(hook);
  /** Each webhook with the version that it saw the request in. */
  const seen = () =>
    Object.fromEntries(
      take(hook).map(({ url, review: { request: r } }) => [
        url.split('?')[0].slice(1),
        `${r.requestKind.version} as ${r.kind.version} ${r.resource.version} object ${r.object?.apiVersion.split('/')[1] ?? '-'} old ${r.oldObject?.apiVersion.split('/')[1] ?? '-'}`,
      ]),
    );
  const requests = [
    [
      'create in v1',
      'POST',
      at('v1'),
      { body: custom(group, 'v1', 'CronTab', 'a', { spec: { replicas: 1 } }) },
    ],
    [
      'create in v2',
      'POST',
      at('v2'),
      { body: custom(group, 'v2', 'CronTab', 'b', { spec: { replicas: 1 } }) },
    ],
    ['patch in v2', 'PATCH', `${at('v2')}/a`, { body: { spec: { image: 'i' } }, type: MERGE }],
    ['status in v2', 'PATCH', `${at('v2')}/a/status`, { body: { status: { phase: 'p' } }, type: MERGE }],
    ['delete in v2', 'DELETE', `${at('v2')}/a`],
  ];
  for (const [label, ...request] of requests) {
    await t.setup(...request);
    t.note(label, seen());
  }
  await t.setup('PATCH', `${at('v2')}/b/scale`, { body: { spec: { replicas: 3 } }, type: MERGE });
  const scales = take(hook).filter((c) => c.url.startsWith('/equivalent-v1'));
  t.note(
    'scale in v2 for a webhook of v1',
    scales.slice(-1).map((c) => brief(c.review)),
  );
}

/**
 * A mutating webhook gets and changes the object in the version it asked for; the client gets its own version
 * back.
 */
export async function mutationOfAnotherVersion(t) {
  const versions = [
    { name: 'v1', schema: cronTab },
    { name: 'v2', schema: cronTab },
  ];
  const { group, ns, configure } = await scene(t, 'admission-mutversion', { versions });
  const hook = await t.webhook(
    admissionAnswer(({ object }) => ({
      allowed: true,
      patch: object.spec && [{ op: 'add', path: '/spec/image', value: `seen as ${object.apiVersion}` }],
    })),
  );
  await configure(MUTATING, 'm', [
    webhook('m.conf.example.com', hook, rule(group, { apiVersions: ['v1'], operations: ['CREATE'] })),
  ]);
  await t.step('create in v2', 'POST', resource(group, 'v2', 'crontabs', ns), {
    body: custom(group, 'v2', 'CronTab', 'a', { spec: { cronSpec: 'c' } }),
  });
  t.note(
    'the whole request',
    take(hook)
      .slice(-1)
      .map((c) => brief(c.review)),
  );
}

export async function matchConditions(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-conditions');
  const hook = await t.webhook(allow);
  const conditions = {
    true: ['true'],
    false: ['false'],
    'all-true': ['true', '1 + 1 == 2'],
    'one-false': ['true', 'false'],
    create: ['request.operation == "CREATE"'],
    name: ['request.name.startsWith("a")'],
    namespace: ['request.namespace.endsWith("conditions")'],
    'by-object': ['has(object.spec) && object.spec.image == "i"'],
    'no-old': ['oldObject == null'],
    changed: ['oldObject != null && oldObject.spec != object.spec'],
    kind: [
      `request.kind.kind == "CronTab" && request.kind.group == "${group}" && request.resource.resource == "crontabs"`,
    ],
    sub: ['request.subResource == "status"'],
    dry: ['request.dryRun'],
    labels: ['"a" in object.metadata.?labels.orValue({})'],
    user: ['request.userInfo.username != "" && size(request.userInfo.groups) > 0'],
    allowed: [`authorizer.group("${group}").resource("crontabs").check("get").allowed()`],
    options: ['request.options.kind == "CreateOptions"'],
  };
  await configure(
    VALIDATING,
    'all',
    Object.entries(conditions).map(([name, list]) =>
      webhook(`${name}.conf.example.com`, hook, rule(group, { resources: ['crontabs', 'crontabs/status'] }), {
        path: `/${name}`,
        failurePolicy: 'Ignore',
        matchConditions: list.map((expression, i) => ({ name: `c${i}`, expression })),
      }),
    ),
  );
  const requests = [
    ['create', 'POST', all, { body: make('a', { spec: { image: 'i' } }, { labels: { a: 'b' } }) }],
    ['create of another', 'POST', all, { body: make('b') }],
    ['dry-run create', 'POST', `${all}?dryRun=All`, { body: make('c') }],
    ['update', 'PATCH', at('a'), { body: { spec: { image: 'j' } }, type: MERGE }],
    ['status', 'PATCH', `${at('a')}/status`, { body: { status: { phase: 'p' } }, type: MERGE }],
    ['delete, where object is null', 'DELETE', at('a')],
  ];
  for (const [label, ...request] of requests) {
    take(hook);
    await t.setup(...request);
    t.note(label, asked(hook));
  }
}

export async function matchConditionErrors(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-condfaults');
  const hook = await t.webhook(allow);
  const cases = [
    ['an error', ['object.spec.image == "i"']],
    ['an error and true', ['object.spec.image == "i"', 'true']],
    ['an error and false', ['object.spec.image == "i"', 'false']],
    ['false and an error', ['false', 'object.spec.image == "i"']],
  ];
  for (const kind of [VALIDATING, MUTATING]) {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      for (const [label, list] of cases) {
        if (kind === MUTATING && label !== 'an error') continue;
        const matchConditions = [
          { name: 'probe', expression: 'object.metadata.name != "probe"' },
          ...list.map((expression, i) => ({ name: `c${i}`, expression })),
        ];
        const end = await configure(kind, failurePolicy.toLowerCase(), [
          webhook('c.conf.example.com', hook, rule(group, { operations: ['CREATE'] }), {
            failurePolicy,
            matchConditions,
          }),
        ]);
        take(hook);
        await t.step(`${kind} ${failurePolicy}: ${label}`, 'POST', `${all}?dryRun=All`, {
          body: make('a'),
          pick: (b) => b.metadata.name,
        });
        t.note(`${kind} ${failurePolicy}: ${label}: calls`, take(hook).length);
        await end();
      }
    }
  }
  await t.step('without the configurations', 'POST', all, { body: make('a'), pick: (b) => b.metadata.name });
  await t.step('and it can be deleted', 'DELETE', at('a'), { pick: (b) => b.status });
}

/** The shape of the configuration that external-snapshotter installs, before small CRDs of its group. */
export async function volumeSnapshots(t) {
  const group = 'snapshot.storage.k8s.io';
  const ns = await t.namespace('conf-admission-snapshots');
  const source = object({ persistentVolumeClaimName: string, volumeSnapshotContentName: string });
  const snapshot = object({ spec: object({ volumeSnapshotClassName: string, source }) });
  const content = object({
    spec: object({
      driver: string,
      deletionPolicy: string,
      source: object({ volumeHandle: string, snapshotHandle: string }),
    }),
  });
  for (const [kind, schema, scope] of [
    ['VolumeSnapshot', snapshot, 'Namespaced'],
    ['VolumeSnapshotContent', content, 'Cluster'],
  ]) {
    const def = crd(group, kind, {
      scope,
      versions: [
        { name: 'v1', schema, subresources: { status: {} } },
        { name: 'v1beta1', schema, subresources: { status: {} } },
      ],
    });
    def.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, test-only' };
    await t.until(
      `${def.metadata.name} of another run to be gone`,
      async () =>
        (
          await t.client.request(
            'GET',
            `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${def.metadata.name}`,
          )
        ).status === 404,
    );
    await t.crd(def);
  }
  const name = 'validation-webhook.snapshot.storage.k8s.io';
  const url = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const hook = await t.webhook(
    admissionAnswer(({ object, oldObject }) => {
      const { persistentVolumeClaimName: claim, volumeSnapshotContentName: content } =
        object.spec?.source ?? {};
      if (object.kind === 'VolumeSnapshot' && (claim === undefined) === (content === undefined))
        return {
          allowed: false,
          message:
            'only one of Spec.Source.PersistentVolumeClaimName and Spec.Source.VolumeSnapshotContentName should be set',
        };
      if (oldObject && JSON.stringify(object.spec.source) !== JSON.stringify(oldObject.spec.source))
        return { allowed: false, message: 'Spec.Source is immutable' };
      return { allowed: true };
    }),
  );
  await t.client.request('DELETE', `${url}/${name}`);
  t.onEnd(() => t.client.request('DELETE', `${url}/${name}`));
  await t.step('the configuration', 'POST', url, {
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: VALIDATING,
      metadata: { name },
      webhooks: [
        {
          name,
          sideEffects: 'None',
          failurePolicy: 'Ignore',
          timeoutSeconds: 2,
          admissionReviewVersions: ['v1', 'v1beta1'],
          rules: [
            {
              apiGroups: [group],
              apiVersions: ['v1beta1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['volumesnapshots', 'volumesnapshotcontents'],
              scope: '*',
            },
          ],
          clientConfig: { url: `${hook.url}/volumesnapshot`, caBundle: hook.caBundle },
        },
      ],
    },
    pick: (b) => b.webhooks,
  });
  const all = (v) => resource(group, v, 'volumesnapshots', ns);
  const make = (v, n, source) =>
    custom(group, v, 'VolumeSnapshot', n, { spec: { volumeSnapshotClassName: 'c', source } });
  await t.until('the configuration to take effect', async () => {
    await t.client.request('POST', `${all('v1beta1')}?dryRun=All`, { body: make('v1beta1', 'probe', {}) });
    return hook.calls.length > 0;
  });
  take(hook);
  await t.step('a snapshot with no source', 'POST', all('v1beta1'), { body: make('v1beta1', 'a', {}) });
  await t.step('a snapshot with two sources', 'POST', all('v1beta1'), {
    body: make('v1beta1', 'a', { persistentVolumeClaimName: 'p', volumeSnapshotContentName: 's' }),
  });
  await t.step('a snapshot in the other version is checked too', 'POST', all('v1'), {
    body: make('v1', 'a', {}),
  });
  await t.step('a good snapshot', 'POST', all('v1'), {
    body: make('v1', 'a', { persistentVolumeClaimName: 'p' }),
    pick: (b) => b.spec,
  });
  t.note(
    'seen in the version registered',
    take(hook).map(
      (c) => `${c.url} ${c.review.request.requestKind.version} as ${c.review.request.kind.version}`,
    ),
  );
  await t.step('another class', 'PATCH', `${all('v1beta1')}/a`, {
    body: { spec: { volumeSnapshotClassName: 'd' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('another source', 'PATCH', `${all('v1beta1')}/a`, {
    body: { spec: { source: { persistentVolumeClaimName: 'q' } } },
    type: MERGE,
  });
  const contents = resource(group, 'v1beta1', 'volumesnapshotcontents');
  await t.step('a content, cluster-scoped', 'POST', contents, {
    body: custom(group, 'v1beta1', 'VolumeSnapshotContent', 'conf-content', {
      spec: { driver: 'd', source: { volumeHandle: 'h' } },
    }),
    pick: (b) => b.spec,
  });
  await t.step('another handle', 'PATCH', `${contents}/conf-content`, {
    body: { spec: { source: { volumeHandle: 'i' } } },
    type: MERGE,
  });
  take(hook);
  await t.step('a status request is not asked about', 'PATCH', `${all('v1beta1')}/a/status`, {
    body: { spec: { source: {} } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('nor is a delete', 'DELETE', `${all('v1beta1')}/a`, { pick: (b) => b.status });
  t.note('calls', take(hook).length);
}
