// Apply on /status and /scale, ownership by subresource, and ownership over several versions.
import { CRDS, crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';
import { applied, apply, conflicts, JSON_PATCH, MERGE, owned } from './helpers/apply.mjs';

const condition = object({ type: string, status: string, reason: string }, { required: ['type'] });
const schema = object({
  spec: object({ replicas: integer, image: string, selector: string }),
  status: object({
    replicas: integer,
    phase: string,
    conditions: {
      type: 'array',
      items: condition,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
  }),
});
const subresources = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.spec.selector',
  },
};

async function scene(t, name, version) {
  const group = `apply-${name}.conf.example.com`;
  const ns = await t.namespace(`conf-apply-${name}`);
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema, ...version }] }));
  const all = resource(group, 'v1', 'widgets', ns);
  return {
    group,
    ns,
    all,
    at: (n) => `${all}/${n}`,
    make: (n, rest) => custom(group, 'v1', 'Widget', n, rest),
  };
}

export async function status(t) {
  const { all, at, make } = await scene(t, 'status', { subresources });
  const [a, st] = [at('a'), `${at('a')}/status`];
  await apply(
    t,
    'apply to the status of an object that is not there',
    st,
    'controller',
    make('a', { status: { phase: 'x' } }),
  );
  await apply(
    t,
    'apply to the main resource ignores status',
    a,
    'alpha',
    make('a', { spec: { image: 'i', replicas: 1 }, status: { phase: 'mine' } }),
  );
  await apply(
    t,
    'apply to status ignores spec',
    st,
    'controller',
    make('a', {
      spec: { image: 'theirs' },
      status: { phase: 'Ready', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
  );
  await apply(
    t,
    'the same again',
    st,
    'controller',
    make('a', {
      spec: { image: 'theirs' },
      status: { phase: 'Ready', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
  );
  await apply(
    t,
    'another controller adds a condition',
    st,
    'other',
    make('a', { status: { conditions: [{ type: 'Synced', status: 'True' }] } }),
  );
  await apply(
    t,
    'and conflicts on the first',
    st,
    'other',
    make('a', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }),
  );
  await apply(
    t,
    'the same manager on both resources has two entries',
    st,
    'alpha',
    make('a', { status: { replicas: 2 } }),
  );
  await apply(
    t,
    'apply to the main resource does not remove its status',
    a,
    'alpha',
    make('a', { spec: { image: 'i' } }),
  );
  await apply(t, 'apply to status removes only status', st, 'alpha', make('a', {}));
  await apply(t, 'metadata through status: labels', st, 'controller', {
    ...make('a', { status: { phase: 'Ready' } }),
    metadata: { name: 'a', labels: { l: '1' }, annotations: { n: '1' } },
  });
  await t.step('a merge patch of status', 'PATCH', `${st}?fieldManager=merger`, {
    body: { spec: { image: 'no' }, status: { phase: 'Merged' } },
    type: MERGE,
    pick: owned,
  });
  await t.step('a JSON patch of status', 'PATCH', `${st}?fieldManager=patcher`, {
    body: [{ op: 'add', path: '/status/replicas', value: 4 }],
    type: JSON_PATCH,
    pick: owned,
  });
  const read = await t.setup('GET', a);
  await t.step('an update of status', 'PUT', `${st}?fieldManager=putter`, {
    body: { ...read, spec: {}, status: { phase: 'Put' } },
    pick: owned,
  });
  await t.step('an update of the main resource with another status', 'PUT', `${a}?fieldManager=putter`, {
    body: { ...(await t.setup('GET', a)), spec: { image: 'put' }, status: { phase: 'no' } },
    pick: owned,
  });
  await apply(
    t,
    'conflict with an updater of status',
    st,
    'controller',
    make('a', { status: { phase: 'Ready' } }),
  );
  await apply(t, 'force', st, 'controller', make('a', { status: { phase: 'Ready' } }), {
    query: '&force=true',
  });
  await t.step('a create drops status', 'POST', `${all}?fieldManager=creator`, {
    body: make('b', { spec: { image: 'i' }, status: { phase: 'x' } }),
    pick: owned,
  });
  await apply(
    t,
    'a status of another type',
    `${at('b')}/status`,
    'controller',
    make('b', { status: { phase: 1 } }),
  );
  await apply(
    t,
    'a status field that is not in the schema',
    `${at('b')}/status`,
    'controller',
    make('b', { status: { nothing: 1 } }),
  );
  await apply(t, 'no fieldManager', `${at('b')}/status`, '', make('b', { status: {} }));
}

export async function withoutStatus(t) {
  const { at, make } = await scene(t, 'nostatus', {});
  await apply(
    t,
    'without the subresource, status is a field like others',
    at('a'),
    'alpha',
    make('a', { spec: { image: 'i' }, status: { phase: 'x' } }),
  );
  await apply(
    t,
    'and there is no /status',
    `${at('a')}/status`,
    'alpha',
    make('a', { status: { phase: 'x' } }),
  );
  await apply(t, 'nor /scale', `${at('a')}/scale`, 'alpha', make('a', {}));
}

// An apply to scale that would change the number of a custom resource is left out: kube-apiserver answers it
// with 500.
export async function scale(t) {
  const { ns, at, make } = await scene(t, 'scale', { subresources });
  const [a, sc] = [at('a'), `${at('a')}/scale`];
  const of = (replicas, rest = {}) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a', ...rest },
    spec: { replicas },
  });
  await apply(t, 'apply to the scale of an object that is not there', sc, 'scaler', of(2));
  await applied(t, a, 'alpha', make('a', { spec: { image: 'i', replicas: 1, selector: 'a=b' } }));
  await apply(t, 'the same number is shared', sc, 'scaler', of(1), { pick: (b) => b });
  await t.step('in the object it is an entry of the subresource', 'GET', a, { pick: owned });
  await t.step('which has the version of the object', 'GET', a, {
    pick: (b) => b.metadata.managedFields.map((e) => [e.subresource ?? '', e.apiVersion]).sort(),
  });
  await conflicts(t, 'another number conflicts', sc, 'other', of(3));
  await apply(
    t,
    'the main resource conflicts with the scaler',
    a,
    'alpha',
    make('a', { spec: { image: 'i', replicas: 2, selector: 'a=b' } }),
  );
  await apply(
    t,
    'it may leave the number out',
    a,
    'alpha',
    make('a', { spec: { image: 'i', selector: 'a=b' } }),
  );
  await apply(
    t,
    'the scaler on the main resource is another manager',
    a,
    'scaler',
    make('a', { spec: { replicas: 3 } }),
  );
  await t.step('an update of scale takes the number', 'PUT', `${sc}?fieldManager=putter`, {
    body: of(4, { namespace: ns }),
  });
  await t.step('the object after it', 'GET', a, { pick: owned });
  await t.step('so does a merge patch', 'PATCH', `${sc}?fieldManager=merger`, {
    body: { spec: { replicas: 5 } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('the object after that', 'GET', a, { pick: owned });
  await apply(t, 'apply to scale conflicts with it', sc, 'scaler', of(6));
  await apply(
    t,
    'so does apply to the main resource',
    a,
    'alpha',
    make('a', { spec: { image: 'i', selector: 'a=b', replicas: 6 } }),
  );
  await apply(
    t,
    'force takes it back',
    a,
    'alpha',
    make('a', { spec: { image: 'i', selector: 'a=b', replicas: 6 } }),
    { query: '&force=true' },
  );
  await apply(t, 'a body of another kind', sc, 'scaler', make('a', { spec: { replicas: 6 } }));
  await apply(t, 'a field that a scale does not have', sc, 'scaler', {
    ...of(6),
    spec: { replicas: 6, extra: 1 },
  });
  await apply(t, 'no number', sc, 'scaler', of(undefined), { pick: (b) => b.spec });
}

export async function versions(t) {
  const group = 'apply-versions.conf.example.com';
  const ns = await t.namespace('conf-apply-versions');
  const schema = object({ spec: object({ image: string, replicas: integer }) });
  const def = crd(group, 'Widget', {
    versions: [
      { name: 'v1', schema },
      { name: 'v2', schema },
    ],
  });
  await t.crd(def);
  const at = (v) => `${resource(group, v, 'widgets', ns)}/a`;
  const make = (v, spec) => custom(group, v, 'Widget', 'a', { spec });
  await apply(t, 'alpha applies in v1', at('v1'), 'alpha', make('v1', { image: 'i', replicas: 1 }));
  await t.step('the entry keeps its version when read in another', 'GET', at('v2'), { pick: owned });
  await apply(
    t,
    'alpha applies in v2: one entry with the new version',
    at('v2'),
    'alpha',
    make('v2', { image: 'i', replicas: 1 }),
  );
  await apply(t, 'what was applied in v1 is left out in v2', at('v2'), 'alpha', make('v2', { image: 'i' }));
  await apply(t, 'beta conflicts over versions', at('v1'), 'beta', make('v1', { image: 'j' }));
  await apply(t, 'beta shares over versions', at('v1'), 'beta', make('v1', { image: 'i' }));
  await t.step('a patch in v1', 'PATCH', `${at('v1')}?fieldManager=merger`, {
    body: { spec: { replicas: 5 } },
    type: MERGE,
    pick: owned,
  });
  await t.step(
    'a patch in v2 by the same manager is another entry',
    'PATCH',
    `${at('v2')}?fieldManager=merger`,
    { body: { metadata: { labels: { a: 'b' } } }, type: MERGE, pick: owned },
  );
  await t.step(
    'which takes over its own field from the other version',
    'PATCH',
    `${at('v2')}?fieldManager=merger`,
    { body: { spec: { replicas: 6 } }, type: MERGE, pick: owned },
  );
  await apply(
    t,
    'a conflict names the version of the updater',
    at('v1'),
    'beta',
    make('v1', { image: 'i', replicas: 7 }),
  );
  await apply(t, 'a body of v1 sent to v2', at('v2'), 'beta', make('v1', { image: 'i' }));

  const stored = await t.setup('GET', `${CRDS}/${def.metadata.name}`);
  stored.spec.versions[0].served = false;
  stored.spec.versions[0].storage = false;
  stored.spec.versions[1].storage = true;
  await t.setup('PUT', `${CRDS}/${def.metadata.name}`, { body: stored });
  await t.until(
    'v1 to stop being served',
    async () => (await t.client.request('GET', at('v1'))).status === 404,
  );
  await t.step('entries of a version no longer served are still shown', 'GET', at('v2'), { pick: owned });
  await conflicts(t, 'and still conflict', at('v2'), 'gamma', make('v2', { image: 'j', replicas: 6 }));
  await apply(t, 'what they own can be shared', at('v2'), 'gamma', make('v2', { image: 'i', replicas: 6 }));
}
