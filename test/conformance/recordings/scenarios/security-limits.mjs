// Admission that is always there: namespaces, limits, quotas, storage classes.
import { clean, hide, lean, MERGE, scene } from './helpers/security.mjs';

const core = (ns, plural) => `/api/v1/namespaces/${ns}/${plural}`;
const map = (name, rest = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });

export async function lifecycleOfNamespaces(t) {
  const s = await scene(t, 'sec-nslife');
  const id = Math.random().toString(36).slice(2, 8);
  const ns = `conf-sec-end-${id}`;
  await t.namespace(ns);
  const ask = async (label, method, url, { body, headers } = {}) => {
    const res = await t.client.request(method, url, { body, headers });
    t.note(label, hide({ status: res.status, body: lean(res.body) }, [id, '<id>']));
    return res.body;
  };
  const there = `/apis/${s.group}/v1/namespaces/${ns}/widgets`;
  await t.step(
    'create in a namespace that does not exist',
    'POST',
    `/apis/${s.group}/v1/namespaces/conf-none/widgets`,
    { body: s.widget('w') },
  );
  await t.step('a dry run there', 'POST', `/apis/${s.group}/v1/namespaces/conf-none/widgets?dryRun=All`, {
    body: s.widget('w'),
  });
  await t.step('create of a built-in kind there', 'POST', core('conf-none', 'configmaps'), {
    body: map('m'),
  });
  await t.step('a role there', 'POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/conf-none/roles', {
    body: { metadata: { name: 'r' } },
  });
  await t.step('apply there', 'PATCH', `/apis/${s.group}/v1/namespaces/conf-none/widgets/w?fieldManager=m`, {
    body: s.widget('w'),
    type: 'application/apply-patch+yaml',
  });
  await t.step('an update there', 'PUT', `/apis/${s.group}/v1/namespaces/conf-none/widgets/w`, {
    body: s.widget('w'),
  });
  await t.step('a delete there', 'DELETE', `/apis/${s.group}/v1/namespaces/conf-none/widgets/w`);
  await t.step('a list there', 'GET', `/apis/${s.group}/v1/namespaces/conf-none/widgets`, {
    pick: (b) => b.items,
  });
  await t.step('an invalid object there', 'POST', `/apis/${s.group}/v1/namespaces/conf-none/widgets`, {
    body: s.widget('w', { spec: { size: 1 } }),
  });
  await t.setup('POST', there, {
    body: { ...s.widget('held'), metadata: { name: 'held', finalizers: ['conf.example.com/hold'] } },
  });
  await t.setup('DELETE', `/api/v1/namespaces/${ns}`);
  t.onEnd(async () => {
    await t.client.request('PATCH', `${there}/held`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': MERGE },
    });
    await t.client.request('DELETE', `${there}/held`);
    const live = (await t.client.request('GET', `/api/v1/namespaces/${ns}`)).body;
    if (live.spec)
      await t.client.request('PUT', `/api/v1/namespaces/${ns}/finalize`, {
        body: { ...live, spec: { finalizers: [] } },
      });
  });
  await t.until(
    'the namespace to be known as terminating',
    async () =>
      (await t.client.request('POST', `${there}?dryRun=All`, { body: s.widget('new') })).status === 403,
  );
  await ask('create in a namespace that goes', 'POST', there, { body: s.widget('new') });
  await ask('a dry run in it', 'POST', `${there}?dryRun=All`, { body: s.widget('new') });
  await ask('a config map in it', 'POST', core(ns, 'configmaps'), { body: map('m') });
  await ask('apply that would create in it', 'PATCH', `${there}/new?fieldManager=m`, {
    body: s.widget('new'),
    headers: { 'content-type': 'application/apply-patch+yaml' },
  });
  await ask('an update in it', 'PATCH', `${there}/held?dryRun=All`, {
    body: { spec: { size: 'l' } },
    headers: { 'content-type': MERGE },
  });
  await ask(
    'an access review in it',
    'POST',
    `/apis/authorization.k8s.io/v1/namespaces/${ns}/localsubjectaccessreviews`,
    { body: { spec: { user: 'x', resourceAttributes: { namespace: ns, verb: 'get', resource: 'pods' } } } },
  );
  for (const n of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    const res = await t.client.request('DELETE', `/api/v1/namespaces/${n}?dryRun=All`);
    t.note(`delete of ${n}`, {
      status: res.status,
      message: res.status < 400 ? undefined : res.body.message,
      reason: res.body.reason,
    });
  }
}

const limits = (name, items) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name },
  spec: { limits: items },
});
const pod = (name, resources, more = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources }], ...more },
});
const resourcesOf = (b) => ({
  annotations: b.metadata.annotations,
  resources: b.spec.containers.map((c) => c.resources),
});

export async function limitRanges(t) {
  const ns = await t.namespace('conf-sec-limits');
  const url = core(ns, 'limitranges');
  await clean(t, url);
  const bad = (label, item) =>
    t.step(label, 'POST', `${url}?dryRun=All`, { body: limits('x', [item].flat()), pick: (b) => b.spec });
  await bad('what is filled in from max', { type: 'Container', max: { cpu: '2' } });
  await bad('what is filled in from min', { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' } });
  await bad('from default', { type: 'Container', default: { cpu: '1' } });
  await bad('no type', { max: { cpu: '1' } });
  await bad('an unknown type', { type: 'conf.example.com/thing', max: { cpu: '1' } });
  await bad('an unqualified unknown type', { type: 'Thing', max: { cpu: '1' } });
  await bad('the same type twice', [
    { type: 'Pod', max: { cpu: '1' } },
    { type: 'Pod', max: { cpu: '2' } },
  ]);
  await bad('min above max', { type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } });
  await bad('default above max', { type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } });
  await bad('default request above default', {
    type: 'Container',
    default: { cpu: '1' },
    defaultRequest: { cpu: '2' },
  });
  await bad('a default for pods', { type: 'Pod', default: { cpu: '1' } });
  await bad('a ratio below 1', { type: 'Container', maxLimitRequestRatio: { cpu: '500m' } });
  await bad('a claim without storage', { type: 'PersistentVolumeClaim', max: { cpu: '1' } });
  await bad('a bad quantity', { type: 'Container', max: { cpu: 'much' } });
  await t.step('without limits', 'POST', `${url}?dryRun=All`, {
    body: { metadata: { name: 'x' }, spec: {} },
    pick: (b) => b.spec,
  });
  await t.setup('POST', url, {
    body: limits('l', [
      {
        type: 'Container',
        default: { cpu: '500m', memory: '64Mi' },
        defaultRequest: { cpu: '250m' },
        min: { cpu: '100m' },
        max: { cpu: '1', memory: '128Mi' },
        maxLimitRequestRatio: { cpu: '4' },
      },
      { type: 'Pod', max: { cpu: '1500m' } },
    ]),
  });
  const pods = `${core(ns, 'pods')}?dryRun=All`;
  await t.until(
    'the limits to be in force',
    async () =>
      (await t.client.request('POST', pods, { body: pod('p', { limits: { cpu: '5' } }) })).status === 403,
  );
  const ask = (label, resources, more) =>
    t.step(label, 'POST', pods, { body: pod('p', resources, more), pick: resourcesOf });
  await ask('a pod without resources', undefined);
  await ask('a pod with requests', { requests: { cpu: '200m' } });
  await ask('a pod with limits', { limits: { cpu: '400m' } });
  await ask('above the limit', { limits: { cpu: '2' } });
  await ask('below the least', { requests: { cpu: '50m' } });
  await ask('above and below', { requests: { cpu: '50m' }, limits: { cpu: '2' } });
  await ask('the ratio', { requests: { cpu: '100m' }, limits: { cpu: '900m' } });
  await ask(
    'a pod of two containers above the limit of pods',
    { limits: { cpu: '900m' }, requests: { cpu: '900m' } },
    {
      containers: [
        { name: 'a', image: 'i', resources: { limits: { cpu: '900m' } } },
        { name: 'b', image: 'i', resources: { limits: { cpu: '900m' } } },
      ],
    },
  );
  await t.step('other kinds are not concerned', 'POST', `${core(ns, 'configmaps')}?dryRun=All`, {
    body: map('m'),
    pick: (b) => b.kind,
  });
  await t.setup('DELETE', `${url}/l`);
  await t.setup('POST', url, {
    body: limits('claims', [
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
    ]),
  });
  const claims = `${core(ns, 'persistentvolumeclaims')}?dryRun=All`;
  const claim = (storage) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage } } },
  });
  await t.until(
    'the limits of claims to be in force',
    async () => (await t.client.request('POST', claims, { body: claim('5Gi') })).status === 403,
  );
  await t.step('a claim', 'POST', claims, { body: claim('1Gi'), pick: (b) => b.spec });
  await t.step('a claim that is too large', 'POST', claims, { body: claim('3Gi') });
  await t.step('a claim that is too small', 'POST', claims, { body: claim('1Mi') });
}

const quota = (name, hard, rest = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard, ...rest },
});

export async function quotaObjects(t) {
  const ns = await t.namespace('conf-sec-quotas');
  const url = core(ns, 'resourcequotas');
  await clean(t, url);
  await t.step('create', 'POST', url, {
    body: quota('q', { 'count/widgets.example.com': '3', pods: '2', 'requests.cpu': '1500m' }),
    pick: lean,
  });
  const bad = (label, hard, rest) =>
    t.step(label, 'POST', `${url}?dryRun=All`, { body: quota('x', hard, rest), pick: (b) => b.spec });
  await bad('no hard limits', undefined);
  await bad('a fraction of pods', { pods: '1500m' });
  await bad('a negative count', { pods: '-1' });
  await bad('an unknown resource', { things: '1' });
  await bad('a qualified name', { 'conf.example.com/things': '1' });
  await bad('a count without group', { 'count/widgets': '1' });
  await bad('a bad name', { 'count/a b': '1' });
  await bad('a scope', { pods: '1' }, { scopes: ['BestEffort'] });
  await bad('a scope that does not fit', { configmaps: '1' }, { scopes: ['BestEffort'] });
  await bad('an unknown scope', { pods: '1' }, { scopes: ['Sometimes'] });
  await bad('scopes that exclude each other', { pods: '1' }, { scopes: ['BestEffort', 'NotBestEffort'] });
  await bad(
    'a scope selector',
    { pods: '1' },
    {
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
  );
  await bad(
    'a scope selector without values',
    { pods: '1' },
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
  );
  await t.step('scopes cannot change', 'PATCH', `${url}/q`, {
    body: { spec: { scopes: ['Terminating'] } },
    type: MERGE,
  });
  await t.step('limits can', 'PATCH', `${url}/q`, {
    body: { spec: { hard: { pods: '5' } } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('the status', 'PATCH', `${url}/q/status`, {
    body: { status: { hard: { pods: '5' }, used: { pods: '1' } } },
    type: MERGE,
    pick: (b) => b.status,
  });
  await t.step('a status with a bad count', 'PATCH', `${url}/q/status`, {
    body: { status: { hard: { pods: '5' }, used: { pods: '-1' } } },
    type: MERGE,
  });
  await t.step('the status is not written with the rest', 'PATCH', `${url}/q`, {
    body: { status: { used: { pods: '9' } } },
    type: MERGE,
    pick: (b) => b.status,
  });
}

export async function quotasInForce(t) {
  const s = await scene(t, 'sec-quota');
  const url = core(s.ns, 'resourcequotas');
  await clean(t, s.all, url, core(s.ns, 'configmaps'));
  const key = `count/widgets.${s.group}`;
  // The controller that counts what is there may not run: the scenario writes the status in its place.
  const start = async (name, hard, used) => {
    await t.setup('POST', url, { body: quota(name, hard) });
    await t.setup('PATCH', `${url}/${name}/status`, { body: { status: { hard, used } }, type: MERGE });
  };
  const used = async (label, name = 'q') => t.step(label, 'GET', `${url}/${name}`, { pick: (b) => b.status });
  await t.setup('POST', url, { body: quota('q', { [key]: '2' }) });
  // A quota without usage holds creations up, for a while.
  await t.setup('PATCH', `${url}/q/status`, {
    body: { status: { hard: { [key]: '2' }, used: { [key]: '0' } } },
    type: MERGE,
  });
  const ready = () =>
    t.until(
      'the quota to be in force',
      async () => {
        const res = await t.client.request('POST', `${core(s.ns, 'secrets')}?dryRun=All`, {
          body: { metadata: { name: 'probe' } },
        });
        return res.status === 403 && /exceeded quota/.test(res.body.message);
      },
      20_000,
    );
  await start('probe', { 'count/secrets': '0' }, { 'count/secrets': '0' });
  await ready();
  await t.step('the first', 'POST', s.all, { body: s.widget('a'), pick: lean });
  await used('it is counted');
  await t.step('the second', 'POST', s.all, { body: s.widget('b'), pick: (b) => b.kind });
  await t.step('the third is refused', 'POST', s.all, { body: s.widget('c') });
  await t.step('by apply too', 'PATCH', `${s.at('c')}?fieldManager=m`, {
    body: s.widget('c'),
    type: 'application/apply-patch+yaml',
  });
  await t.step('and by a dry run', 'POST', `${s.all}?dryRun=All`, { body: s.widget('c') });
  await t.step('an update is not', 'PATCH', s.at('a'), {
    body: { spec: { size: 'l' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('an invalid one is told so first', 'POST', s.all, {
    body: s.widget('c', { spec: { size: 1 } }),
  });
  await used('refused ones are not counted');
  await t.setup('DELETE', s.at('a'));
  await used('a delete is left to the controller');
  await t.step('so there is still no room', 'POST', s.all, { body: s.widget('c') });
  await t.setup('PATCH', `${url}/q/status`, { body: { status: { used: { [key]: '1' } } }, type: MERGE });
  await t.until(
    'room',
    async () =>
      (await t.client.request('POST', `${s.all}?dryRun=All`, { body: s.widget('c') })).status === 201,
    20_000,
  );
  await used('a dry run takes no room');
  await t.step('after the controller has counted', 'POST', s.all, {
    body: s.widget('c'),
    pick: (b) => b.kind,
  });
  await used('counted again');
  await start(
    'maps',
    { configmaps: '3', 'count/configmaps': '2' },
    { configmaps: '2', 'count/configmaps': '2' },
  );
  await t.until(
    'the quota of maps to be in force',
    async () =>
      (await t.client.request('POST', `${core(s.ns, 'configmaps')}?dryRun=All`, { body: map('m') }))
        .status === 403,
    20_000,
  );
  await t.step('a built-in kind by count/', 'POST', core(s.ns, 'configmaps'), { body: map('m') });
  await t.setup('PATCH', `${url}/maps/status`, {
    body: { status: { used: { configmaps: '3', 'count/configmaps': '2' } } },
    type: MERGE,
  });
  await t.until(
    'both to be seen as full',
    async () =>
      /configmaps=1,count/.test(
        (await t.client.request('POST', `${core(s.ns, 'configmaps')}?dryRun=All`, { body: map('m') })).body
          .message,
      ),
    20_000,
  );
  await t.step('by both', 'POST', core(s.ns, 'configmaps'), { body: map('m') });
  await start(
    'pods',
    { 'requests.cpu': '1', 'limits.memory': '1Gi' },
    { 'requests.cpu': '0', 'limits.memory': '0' },
  );
  const pods = `${core(s.ns, 'pods')}?dryRun=All`;
  await t.until(
    'the quota of pods to be in force',
    async () => (await t.client.request('POST', pods, { body: pod('p') })).status === 403,
    20_000,
  );
  await t.step('a pod that does not say what it needs', 'POST', pods, { body: pod('p') });
  await t.step('a pod that needs too much', 'POST', pods, {
    body: pod('p', { requests: { cpu: '2', memory: '1Mi' }, limits: { memory: '2Gi', cpu: '2' } }),
  });
  await t.step('a pod that fits', 'POST', pods, {
    body: pod('p', { requests: { cpu: '500m' }, limits: { memory: '1Mi' } }),
    pick: (b) => b.kind,
  });
  await t.step(
    'other namespaces are not concerned',
    'POST',
    `/apis/${s.group}/v1/namespaces/default/widgets?dryRun=All`,
    { body: s.widget('x'), pick: (b) => b.kind },
  );
}

export async function defaultStorageClass(t) {
  const ns = await t.namespace('conf-sec-storage');
  const url = '/apis/storage.k8s.io/v1/storageclasses';
  const claims = `${core(ns, 'persistentvolumeclaims')}?dryRun=All`;
  await clean(t, `${url}/conf-sec-a`, `${url}/conf-sec-b`);
  const claim = (spec = {}) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
  const cls = (name, isDefault) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: isDefault && { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'conf.example.com/none',
  });
  const ask = (label, spec) =>
    t.step(label, 'POST', claims, { body: claim(spec), pick: (b) => b.spec.storageClassName ?? 'none' });
  await ask('without a default class');
  await t.step('create a class', 'POST', url, { body: cls('conf-sec-a', true), pick: lean });
  await t.until(
    'the class to be known',
    async () =>
      (await t.client.request('POST', claims, { body: claim() })).body.spec.storageClassName === 'conf-sec-a',
  );
  await ask('with one');
  await ask('one named by the claim', { storageClassName: 'other' });
  await ask('none by the claim', { storageClassName: '' });
  await t.step('a class without provisioner', 'POST', `${url}?dryRun=All`, {
    body: { metadata: { name: 'x' } },
  });
  await t.step('an unknown binding mode', 'POST', `${url}?dryRun=All`, {
    body: { ...cls('x'), volumeBindingMode: 'Never' },
  });
  await t.step('the provisioner cannot change', 'PATCH', `${url}/conf-sec-a`, {
    body: { provisioner: 'conf.example.com/other' },
    type: MERGE,
  });
  await t.setup('DELETE', `${url}/conf-sec-a`);
  await t.until(
    'the class to be forgotten',
    async () => !(await t.client.request('POST', claims, { body: claim() })).body.spec.storageClassName,
  );
  await ask('after its end');
}

export async function flowSchemas(t) {
  const url = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
  await clean(t, `${url}/conf-sec-fs`, `${levels}/conf-sec-pl`);
  const fs = (spec, name = 'conf-sec-fs') => ({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec,
  });
  const subjects = [{ kind: 'User', user: { name: 'conf-nobody' } }];
  const resourceRules = [
    { verbs: ['get'], apiGroups: ['conf.example.com'], resources: ['things'], namespaces: ['*'] },
  ];
  const noStatus = (b) => ({ ...lean(b), status: undefined });
  await t.step('create', 'POST', url, {
    body: fs({ priorityLevelConfiguration: { name: 'conf-none' }, rules: [{ subjects, resourceRules }] }),
    pick: noStatus,
  });
  await t.step('get', 'GET', `${url}/conf-sec-fs`, { pick: noStatus });
  await t.step('update', 'PATCH', `${url}/conf-sec-fs`, {
    body: { spec: { matchingPrecedence: 500, distinguisherMethod: { type: 'ByUser' } } },
    type: MERGE,
    pick: noStatus,
  });
  const bad = (label, spec) =>
    t.step(label, 'POST', `${url}?dryRun=All`, { body: fs(spec, 'conf-sec-bad'), pick: (b) => b.spec });
  const level = { priorityLevelConfiguration: { name: 'conf-none' } };
  await bad('no level', {});
  await bad('precedence 0 is the default', { ...level, matchingPrecedence: 0 });
  await bad('precedence too great', { ...level, matchingPrecedence: 10001 });
  await bad('precedence 1 is kept for exempt', { ...level, matchingPrecedence: 1 });
  await bad('an unknown distinguisher', { ...level, distinguisherMethod: { type: 'ByMood' } });
  await bad('a rule without subjects', { ...level, rules: [{ resourceRules }] });
  await bad('a rule without rules', { ...level, rules: [{ subjects }] });
  await bad('a subject without its name', {
    ...level,
    rules: [{ subjects: [{ kind: 'User' }], resourceRules }],
  });
  await bad('an unknown kind of subject', {
    ...level,
    rules: [{ subjects: [{ kind: 'Robot' }], resourceRules }],
  });
  await bad('an unknown verb', {
    ...level,
    rules: [{ subjects, resourceRules: [{ ...resourceRules[0], verbs: ['fly'] }] }],
  });
  await bad('a path', {
    ...level,
    rules: [{ subjects, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['healthz', '/a/*/b'] }] }],
  });
  await t.step('the schemas of the server', 'GET', url, {
    pick: (b) =>
      b.items
        .filter((i) => !i.metadata.name.startsWith('conf-'))
        .map((i) => [i.metadata.name, i.spec.matchingPrecedence, i.spec.priorityLevelConfiguration.name]),
  });
  await t.step('the levels of the server', 'GET', levels, {
    pick: (b) =>
      b.items.filter((i) => !i.metadata.name.startsWith('conf-')).map((i) => [i.metadata.name, i.spec]),
  });
  await t.step('a level', 'POST', levels, {
    body: {
      metadata: { name: 'conf-sec-pl' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } },
    },
    pick: (b) => b.spec,
  });
  await t.step('a level of no type', 'POST', `${levels}?dryRun=All`, {
    body: { metadata: { name: 'conf-sec-x' }, spec: {} },
  });
  await t.step('delete', 'DELETE', `${url}/conf-sec-fs`);
}
