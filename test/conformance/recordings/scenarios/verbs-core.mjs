// The built-in resources that users of custom resources rely on.

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
/** A clean start and a clean end for the kinds that outlive a scenario. */
const clean = async (t, ...urls) => {
  const all = async () => {
    for (const u of urls) await t.client.request('DELETE', u);
  };
  await all();
  t.onEnd(all);
};

export async function namespaces(t) {
  // Namespaces may never finish deleting where no controller runs, so each run has names of its own.
  const id = Math.random().toString(36).slice(2, 8);
  const name = `conf-verbs-ns-${id}`;
  const hide = (v) => JSON.parse(JSON.stringify(v).replaceAll(id, '<id>'));
  const show = (b) => hide(lean(b));
  const ask = async (label, method, path, { body, type, pick = (b) => b } = {}) => {
    const res = await t.client.request(method, path, { body, headers: type ? { 'content-type': type } : {} });
    t.note(label, { status: res.status, body: hide(res.status < 400 ? pick(res.body) : res.body) });
    return res.body;
  };
  const url = `/api/v1/namespaces/${name}`;
  const ns = (n, rest = {}) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: n, ...rest } });

  await ask('create', 'POST', '/api/v1/namespaces', { body: ns(name, { labels: { team: 'a' } }) });
  await ask('create again', 'POST', '/api/v1/namespaces', { body: ns(name) });
  for (const bad of ['Upper', 'with.dot'])
    await t.step(`invalid name ${bad}`, 'POST', '/api/v1/namespaces', { body: ns(bad) });
  await ask('get', 'GET', url, { pick: show });
  await t.step('get of one that does not exist', 'GET', '/api/v1/namespaces/conf-verbs-missing');
  await ask(
    'list by label',
    'GET',
    `/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name%3D${name}`,
    { pick: (b) => ({ kind: b.kind, apiVersion: b.apiVersion, items: b.items.map(show) }) },
  );
  await ask(
    'list by the phase',
    'GET',
    `/api/v1/namespaces?labelSelector=team%3Da,kubernetes.io/metadata.name%3D${name}&fieldSelector=status.phase%3DActive`,
    {
      pick: (b) => b.items.map((i) => i.metadata.name),
    },
  );
  await ask('merge patch', 'PATCH', url, {
    body: { metadata: { labels: { team: 'b' } } },
    type: MERGE,
    pick: show,
  });
  await ask('strategic merge patch', 'PATCH', url, {
    body: { metadata: { annotations: { note: 'x' } } },
    type: STRATEGIC,
    pick: show,
  });
  await ask('the name label cannot be taken off', 'PATCH', url, {
    body: { metadata: { labels: { 'kubernetes.io/metadata.name': null } } },
    type: MERGE,
    pick: show,
  });
  await ask('a dry run of delete', 'DELETE', `${url}?dryRun=All`, { pick: (b) => b.kind });
  await ask('deletecollection is not offered', 'DELETE', '/api/v1/namespaces?labelSelector=nobody%3Dhome');
  await t.setup('POST', `${url}/configmaps`, {
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'keep', finalizers: ['example.com/keep'] },
    },
  });
  t.onEnd(async () => {
    await t.client.request('PATCH', `${url}/configmaps/keep`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': MERGE },
    });
    await t.client.request('DELETE', `${url}/configmaps/keep`);
    const live = (await t.client.request('GET', url)).body;
    if (live.spec)
      await t.client.request('PUT', `${url}/finalize`, { body: { ...live, spec: { finalizers: [] } } });
  });
  await ask('delete answers the namespace, terminating', 'DELETE', url, {
    pick: (b) => ({
      kind: b.kind,
      spec: b.spec,
      phase: b.status?.phase,
      deleting: Boolean(b.metadata?.deletionTimestamp),
    }),
  });
  await ask('create in a terminating namespace', 'POST', `${url}/configmaps`, {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } },
  });
  await ask('an update there is still allowed', 'PATCH', `${url}/configmaps/keep`, {
    body: { data: { a: 'b' } },
    type: MERGE,
    pick: (b) => b.data,
  });
  await t.step('the default namespace', 'GET', '/api/v1/namespaces/default', {
    pick: (b) => ({ labels: b.metadata.labels, spec: b.spec, status: b.status }),
  });
  await t.step('delete of the default namespace', 'DELETE', '/api/v1/namespaces/default');
}

export async function configMapsAndSecrets(t) {
  const ns = await t.namespace('conf-verbs-core');
  const maps = `/api/v1/namespaces/${ns}/configmaps`;
  const secrets = `/api/v1/namespaces/${ns}/secrets`;
  await clean(t, maps, secrets);
  const map = (name, rest = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });
  const secret = (name, rest = {}) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...rest });
  const b64 = (s) => Buffer.from(s).toString('base64');

  await t.step('list of config maps when there are none', 'GET', `${maps}?labelSelector=none`);
  await t.step('create a config map', 'POST', maps, {
    body: map('a', { data: { x: '1' }, binaryData: { bin: b64('hi') } }),
  });
  await t.step('without kind and apiVersion', 'POST', maps, {
    body: { metadata: { name: 'bare' }, data: { x: '1' } },
    pick: lean,
  });
  await t.step('the wrong kind', 'POST', maps, { body: secret('w') });
  await t.step('the same key in data and binaryData', 'POST', maps, {
    body: map('dup', { data: { x: '1' }, binaryData: { x: b64('1') } }),
  });
  await t.step('an invalid key', 'POST', maps, { body: map('key', { data: { 'a b': '1' } }) });
  await t.step('data that is no string', 'POST', maps, { body: map('num', { data: { x: 1 } }) });
  await t.step('an unknown field is dropped with a warning', 'POST', maps, {
    body: map('unk', { data: {}, extra: 1 }),
    pick: lean,
  });
  await t.step('an unknown field with fieldValidation=Strict', 'POST', `${maps}?fieldValidation=Strict`, {
    body: map('unk2', { extra: 1 }),
  });
  await t.step('get', 'GET', `${maps}/a`, { pick: lean });
  await t.step('strategic merge patch', 'PATCH', `${maps}/a`, {
    body: { data: { y: '2', x: null } },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('strategic merge patch: $patch replace', 'PATCH', `${maps}/a`, {
    body: { data: { $patch: 'replace', z: '3' } },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('strategic merge patch: finalizers are merged', 'PATCH', `${maps}/a?dryRun=All`, {
    body: { metadata: { finalizers: ['example.com/a'] } },
    type: STRATEGIC,
    pick: (b) => b.metadata.finalizers,
  });
  await t.step('merge patch', 'PATCH', `${maps}/a`, { body: { data: { w: '4' } }, type: MERGE, pick: lean });
  await t.step('JSON patch', 'PATCH', `${maps}/a`, {
    body: [{ op: 'remove', path: '/data/w' }],
    type: JSON_PATCH,
    pick: lean,
  });
  await t.step('an update without a resourceVersion is unconditional', 'PUT', `${maps}/a`, {
    body: map('a', { data: { only: '1' } }),
    pick: lean,
  });
  await t.step('a stale update', 'PUT', `${maps}/a`, {
    body: { ...map('a'), metadata: { name: 'a', resourceVersion: '1' } },
  });
  await t.step('an update of one that does not exist creates nothing', 'PUT', `${maps}/new`, {
    body: map('new'),
  });
  await t.step('immutable', 'PATCH', `${maps}/a`, { body: { immutable: true }, type: MERGE, pick: lean });
  await t.step('a change of an immutable one', 'PATCH', `${maps}/a`, {
    body: { data: { only: '2' } },
    type: MERGE,
  });
  await t.step('an immutable one cannot be made mutable', 'PATCH', `${maps}/a`, {
    body: { immutable: false },
    type: MERGE,
  });
  await t.step('field selector by name', 'GET', `${maps}?fieldSelector=metadata.name%3Da`, {
    pick: (b) => b.items.map((i) => [i.kind ?? 'no kind', i.metadata.name]),
  });
  await t.step('an unsupported field selector', 'GET', `${maps}?fieldSelector=data.x%3D1`);
  await t.step('delete', 'DELETE', `${maps}/a`);
  await t.step('deletecollection', 'DELETE', maps, {
    pick: (b) => ({
      kind: b.kind,
      names: b.items?.map((i) => i.metadata.name).filter((n) => n !== 'kube-root-ca.crt'),
    }),
  });

  await t.step('create a secret from stringData', 'POST', secrets, {
    body: secret('s', { stringData: { user: 'u', pass: 'p' }, data: { user: b64('other') } }),
    pick: lean,
  });
  await t.step('a secret whose data is not base64', 'POST', secrets, {
    body: secret('bad', { data: { x: '%%' } }),
  });
  await t.step('a TLS secret without its keys', 'POST', secrets, {
    body: secret('tls', { type: 'kubernetes.io/tls', data: { 'tls.crt': b64('x') } }),
  });
  await t.step('the type cannot be changed', 'PATCH', `${secrets}/s`, {
    body: { type: 'example.com/other' },
    type: MERGE,
  });
  await t.step('stringData in a patch', 'PATCH', `${secrets}/s`, {
    body: { stringData: { more: 'm' } },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('field selector by type', 'GET', `${secrets}?fieldSelector=type%3DOpaque`, {
    pick: (b) => b.items.map((i) => i.metadata.name),
  });
}

export async function leasesAndEvents(t) {
  const ns = await t.namespace('conf-verbs-leases');
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`;
  const events = `/api/v1/namespaces/${ns}/events`;
  const events2 = `/apis/events.k8s.io/v1/namespaces/${ns}/events`;
  await clean(t, leases, events);
  const lease = (rest) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'leader' },
    spec: {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      renewTime: '2026-01-02T03:04:05.000006Z',
      ...rest,
    },
  });
  const first = await t.step('create a lease', 'POST', leases, { body: lease(), pick: lean });
  t.note('times keep their microseconds', first.spec.renewTime.slice(-8));
  await t.step('another holder takes it with the resourceVersion', 'PUT', `${leases}/leader`, {
    body: { ...first, spec: { ...first.spec, holderIdentity: 'you', leaseTransitions: 1 } },
    pick: lean,
  });
  await t.step('the first holder is too late', 'PUT', `${leases}/leader`, {
    body: { ...first, spec: { ...first.spec, renewTime: '2026-01-02T03:04:06.000000Z' } },
  });
  await t.step('a lease of no duration', 'PATCH', `${leases}/leader`, {
    body: { spec: { leaseDurationSeconds: 0 } },
    type: MERGE,
  });
  await t.step('negative transitions', 'PATCH', `${leases}/leader`, {
    body: { spec: { leaseTransitions: -1 } },
    type: MERGE,
  });
  await t.step('a time without microseconds', 'POST', leases, {
    body: lease({ renewTime: '2026-01-02T03:04:07Z' }),
  });
  await t.step('strategic merge patch', 'PATCH', `${leases}/leader`, {
    body: { spec: { holderIdentity: null } },
    type: STRATEGIC,
    pick: lean,
  });
  await t.step('delete', 'DELETE', `${leases}/leader`);

  const regarding = {
    apiVersion: 'verbs.conf.example.com/v1',
    kind: 'Widget',
    name: 'w',
    namespace: ns,
    uid: 'u',
  };
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'w.1' },
    involvedObject: regarding,
    reason: 'Made',
    message: 'made it',
    type: 'Normal',
    count: 1,
    firstTimestamp: '2026-01-02T03:04:05Z',
    lastTimestamp: '2026-01-02T03:04:05Z',
    source: { component: 'tester' },
  };
  await t.step('create a core event', 'POST', events, { body: event, pick: lean });
  await t.step('it is seen in events.k8s.io', 'GET', `${events2}/w.1`, { pick: lean });
  await t.step('an event about an object of another namespace', 'POST', events, {
    body: { ...event, metadata: { name: 'w.2' }, involvedObject: { ...regarding, namespace: 'default' } },
  });
  await t.step('strategic merge patch counts', 'PATCH', `${events}/w.1`, {
    body: { count: 2, lastTimestamp: '2026-01-02T03:05:05Z' },
    type: STRATEGIC,
    pick: (b) => b.count,
  });
  await t.step(
    'field selector on the object',
    'GET',
    `${events}?fieldSelector=involvedObject.name%3Dw,involvedObject.kind%3DWidget`,
    { pick: (b) => b.items.map((i) => i.metadata.name) },
  );
  await t.step('field selector on the reason', 'GET', `${events}?fieldSelector=reason%3DOther`, {
    pick: (b) => b.items.length,
  });
  await t.step('an event of events.k8s.io without what it needs', 'POST', events2, {
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      eventTime: '2026-01-02T03:04:05.000000Z',
      regarding,
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'Do',
      type: 'Normal',
    },
  });
  await t.step('a whole event of events.k8s.io', 'POST', events2, {
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      eventTime: '2026-01-02T03:04:05.000000Z',
      regarding,
      reason: 'R',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'Do',
      type: 'Normal',
      note: 'n',
    },
    pick: lean,
  });
  await t.step('and as a core event', 'GET', `${events}/e`, { pick: lean });
}

export async function accessReviews(t) {
  const url = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const review = (spec) => ({ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec });
  // The reason names the server's own rules.
  const pick = ({ metadata, ...b }) => ({ ...b, status: { ...b.status, reason: undefined } });
  const can = (label, spec) => t.step(label, 'POST', url, { body: review(spec), pick });
  await can('kubectl auth can-i create widgets', {
    resourceAttributes: {
      group: 'verbs.conf.example.com',
      resource: 'widgets',
      verb: 'create',
      namespace: 'default',
      version: '*',
    },
  });
  await can('kubectl auth can-i get /healthz', { nonResourceAttributes: { path: '/healthz', verb: 'get' } });
  await can('a subresource', {
    resourceAttributes: {
      group: 'verbs.conf.example.com',
      resource: 'widgets',
      subresource: 'status',
      name: 'a',
      verb: 'update',
      namespace: 'default',
    },
  });
  await can('everything', { resourceAttributes: { group: '*', resource: '*', verb: '*' } });
  await t.step('neither kind of attributes', 'POST', url, { body: review({}) });
  await t.step('both kinds of attributes', 'POST', url, {
    body: review({
      resourceAttributes: { verb: 'get', resource: 'pods' },
      nonResourceAttributes: { verb: 'get', path: '/' },
    }),
  });
  await t.step('get is not offered', 'GET', url);
  await t.step('rules of oneself', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: 'default' },
    },
    pick: (b) => ({
      kind: b.kind,
      incomplete: b.status.incomplete,
      all: b.status.resourceRules.some((r) => r.verbs.includes('*') && r.resources.includes('*')),
    }),
  });
  await t.step('who am I', 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    pick: (b) => ({ kind: b.kind, groups: b.status.userInfo.groups.includes('system:authenticated') }),
  });
  await t.step('a wrong token', 'GET', '/api/v1/namespaces/default', {
    headers: { authorization: 'Bearer wrong' },
  });
}
