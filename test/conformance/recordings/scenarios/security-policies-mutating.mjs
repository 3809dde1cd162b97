// MutatingAdmissionPolicy: the objects, and what they change.
import { crd, custom, resource } from '../lib/fixtures.mjs';
import { changed, KINDS, match, mutating, object, refused, validating } from './helpers/policies.mjs';
import { APPLY, clean, lean, MERGE, names, scene } from './helpers/security.mjs';

const POLICIES = KINDS.MutatingAdmissionPolicy;
const BINDINGS = KINDS.MutatingAdmissionPolicyBinding;
const any = match('conf.example.com');
const applied = (expression) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patched = (expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

export async function objects(t) {
  const name = 'conf-sec-map';
  await clean(t, `${POLICIES}/${name}`, `${BINDINGS}/${name}`);
  const mutation = applied('Object{metadata: Object.metadata{labels: {"a": "b"}}}');
  const good = { matchConstraints: any, reinvocationPolicy: 'Never', mutations: [mutation] };
  await t.step('create: what is filled in', 'POST', POLICIES, {
    body: object('MutatingAdmissionPolicy', name, good),
    pick: lean,
  });
  await t.step('a binding', 'POST', BINDINGS, {
    body: object('MutatingAdmissionPolicyBinding', name, { policyName: name }),
    pick: lean,
  });
  await t.step('as a table', 'GET', `${POLICIES}/${name}`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      columns: b.columnDefinitions.map((c) => [c.name, c.type, c.priority]),
      cells: b.rows.map((r) => r.cells.filter((_, i) => b.columnDefinitions[i].name !== 'Age')),
    }),
  });
  await t.step('a change', 'PATCH', `${POLICIES}/${name}`, {
    body: { spec: { reinvocationPolicy: 'IfNeeded' } },
    type: MERGE,
    pick: (b) => [b.metadata.generation, b.spec.reinvocationPolicy],
  });
  await t.step('there is no status', 'GET', `${POLICIES}/${name}/status`);
  await t.step('list', 'GET', `${BINDINGS}?fieldSelector=metadata.name%3D${name}`, { pick: names });
  const bad = (label, spec) =>
    t.step(label, 'POST', `${POLICIES}?dryRun=All`, {
      body: object('MutatingAdmissionPolicy', 'conf-sec-bad', { ...good, ...spec }),
      pick: (b) => b.spec,
    });
  await bad('no constraints', { matchConstraints: undefined });
  await bad('no mutations', { mutations: [] });
  await bad('no reinvocationPolicy', { reinvocationPolicy: undefined });
  await bad('an unknown reinvocationPolicy', { reinvocationPolicy: 'Sometimes' });
  await bad('no patchType', { mutations: [{ applyConfiguration: mutation.applyConfiguration }] });
  await bad('an unknown patchType', { mutations: [{ patchType: 'Merge', jsonPatch: { expression: '[]' } }] });
  await bad('the wrong expression for the type', {
    mutations: [{ patchType: 'JSONPatch', applyConfiguration: mutation.applyConfiguration }],
  });
  await bad('both expressions', {
    mutations: [
      {
        patchType: 'JSONPatch',
        applyConfiguration: mutation.applyConfiguration,
        jsonPatch: { expression: '[]' },
      },
    ],
  });
  await bad('an expression that does not parse', { mutations: [applied('Object{')] });
  await bad('an apply configuration that is a map', { mutations: [applied('{"a": "b"}')] });
  await bad('an unknown variable', { mutations: [applied('Object{spec: thing}')] });
  await bad('a JSON patch that is no list', {
    mutations: [patched('JSONPatch{op: "add", path: "/a", value: 1}')],
  });
  await bad('a JSON patch of other things', { mutations: [patched('[1]')] });
  await bad('an unknown field of a JSON patch', {
    mutations: [patched('[JSONPatch{op: "add", where: "/a"}]')],
  });
  await bad('an empty expression', { mutations: [patched(' ')] });
  await bad('DELETE is allowed or not', {
    matchConstraints: match('conf.example.com', { operations: ['DELETE'] }),
  });
  await bad('CONNECT is allowed or not', {
    matchConstraints: match('conf.example.com', { operations: ['CONNECT'] }),
  });
  await bad('a condition that is no bool', { matchConditions: [{ name: 'c', expression: '1' }] });
  await bad('params without paramKind', {
    mutations: [applied('Object{metadata: Object.metadata{labels: {"a": params.x}}}')],
  });
  await bad('an unknown failurePolicy', { failurePolicy: 'Maybe' });
  const bind = (label, spec) =>
    t.step(`binding: ${label}`, 'POST', `${BINDINGS}?dryRun=All`, {
      body: object('MutatingAdmissionPolicyBinding', 'conf-sec-bad', spec),
      pick: (b) => b.spec,
    });
  await bind('no policyName', {});
  await bind('validationActions are unknown', { policyName: 'p', validationActions: ['Deny'] });
  await bind('a paramRef of neither', { policyName: 'p', paramRef: { parameterNotFoundAction: 'Deny' } });
  await bind('a paramRef', { policyName: 'p', paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } });
  await t.step('delete', 'DELETE', `${POLICIES}/${name}`);
}

export async function mutations(t) {
  const s = await scene(t, 'sec-mapm');
  await clean(t, s.all);
  const base = (mutationsOf, rest = {}) => ({
    matchConstraints: match(s.group),
    reinvocationPolicy: 'Never',
    mutations: mutationsOf,
    ...rest,
  });
  const probe = { ...s.widget('probe'), metadata: { name: 'probe', labels: { probe: 'x' } } };
  // The last mutation of each policy marks an object that asks for it, so that one knows when the policy is
  // in force.
  const mark = patched(
    'has(object.metadata.labels) && "probe" in object.metadata.labels ? [JSONPatch{op: "add", path: "/metadata/labels/mark", value: "seen"}] : []',
  );
  const marked = changed(t, s.all, probe, (b) => b.metadata.labels.mark);
  const run = async (spec, steps, binding = {}) => {
    const end = await mutating(
      t,
      'conf-sec-mapm',
      { ...spec, mutations: [...spec.mutations, mark] },
      binding,
      marked,
    );
    await steps();
    await end();
  };
  const ask = (label, body = s.widget('w'), rest = {}) =>
    t.step(label, 'POST', `${s.all}?dryRun=All`, {
      body,
      pick: ({ metadata: { labels, annotations, finalizers }, spec, status }) => ({
        metadata: { labels, annotations, finalizers },
        spec,
        status,
      }),
      ...rest,
    });
  await run(
    base([
      applied('Object{metadata: Object.metadata{labels: {"added": "yes"}}, spec: Object.spec{replicas: 3}}'),
    ]),
    async () => {
      await ask('apply: fields are set');
      await ask('apply: and overwritten', s.widget('w', { spec: { replicas: 1, size: 's' } }));
      const made = await t.step('who manages them', 'POST', s.all, {
        body: s.widget('kept'),
        pick: (b) => ({
          spec: b.spec,
          labels: b.metadata.labels,
          managers: b.metadata.managedFields.map((m) => [m.manager, m.operation, m.fieldsV1]),
        }),
      });
      t.note('its generation', made.metadata.generation);
      await t.step('an update too', 'PATCH', s.at('kept'), {
        body: { spec: { replicas: 9 }, metadata: { labels: null } },
        type: MERGE,
        pick: (b) => ({ spec: b.spec, labels: b.metadata.labels, generation: b.metadata.generation }),
      });
      await t.step('by apply', 'PATCH', `${s.at('fresh')}?fieldManager=m`, {
        body: s.widget('fresh', { spec: { replicas: 1 } }),
        type: APPLY,
        pick: (b) => ({
          spec: b.spec,
          managers: b.metadata.managedFields.map((m) => [m.manager, m.operation, m.fieldsV1]),
        }),
      });
    },
  );
  await run(
    base([
      applied(
        'Object{spec: Object.spec{size: object.spec.size + "-" + request.operation + "-" + namespaceObject.metadata.name}}',
      ),
    ]),
    async () => ask('apply: from the object and the request'),
  );
  await run(
    base([applied('has(object.metadata.labels) ? Object{} : Object{spec: Object.spec{unknown: "x"}}')]),
    async () => ask('apply: a field of no schema'),
  );
  await run(
    base([
      applied(
        'has(object.metadata.labels) && "probe" in object.metadata.labels ? Object{} : Object{spec: Object.spec{replicas: "three"}}',
      ),
    ]),
    async () => ask('apply: a value of the wrong type'),
  );
  await run(
    base([
      patched(
        '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a/b": "c"}}, JSONPatch{op: "replace", path: "/spec/size", value: "xl"}]',
      ),
    ]),
    async () => ask('patch: add and replace'),
  );
  await run(
    base([
      patched(
        '"annotations" in object.metadata ? [JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("a/b~c"), value: "v"}] : []',
      ),
    ]),
    async () =>
      ask('patch: an escaped key', { ...s.widget('w'), metadata: { name: 'w', annotations: { x: 'y' } } }),
  );
  await run(
    base([
      patched(
        '[JSONPatch{op: "test", path: "/spec/size", value: "m"}, JSONPatch{op: "remove", path: "/spec/size"}, JSONPatch{op: "add", path: "/spec", value: Object.spec{replicas: 7}}]',
      ),
    ]),
    async () => {
      await ask('patch: test, remove and an object');
    },
  );
  await run(
    base([
      patched('has(object.metadata.labels) ? [] : [JSONPatch{op: "replace", path: "/spec/none", value: 1}]'),
    ]),
    async () => ask('patch: that cannot be applied'),
  );
  await run(
    base(
      [
        patched(
          'has(object.metadata.labels) ? [] : [JSONPatch{op: "replace", path: "/spec/none", value: 1}]',
        ),
      ],
      { failurePolicy: 'Ignore' },
    ),
    async () => ask('patch: that cannot be applied, with Ignore'),
  );
  await run(
    base([
      patched(
        'has(object.metadata.labels) ? [] : [JSONPatch{op: "test", path: "/spec/size", value: "other"}]',
      ),
    ]),
    async () => ask('patch: a test that fails'),
  );
  await run(
    base([patched('has(object.metadata.labels) ? [] : [JSONPatch{op: "fly", path: "/spec/size"}]')]),
    async () => ask('patch: an unknown operation'),
  );
  await run(
    base([
      applied(
        'has(object.metadata.labels) ? Object{} : Object{spec: Object.spec{replicas: object.spec.none}}',
      ),
    ]),
    async () => ask('an expression that fails'),
  );
  await run(
    base(
      [
        applied(
          'has(object.metadata.labels) ? Object{} : Object{spec: Object.spec{replicas: object.spec.none}}',
        ),
      ],
      { failurePolicy: 'Ignore' },
    ),
    async () => ask('an expression that fails, with Ignore'),
  );
  await run(
    base([
      applied('Object{spec: Object.spec{replicas: 1}}'),
      applied('Object{spec: Object.spec{replicas: object.spec.replicas + 1}}'),
      patched('[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.replicas * 10}]'),
    ]),
    async () => ask('one after the other'),
  );
  await run(
    base([applied('Object{spec: Object.spec{replicas: variables.n}}')], {
      variables: [{ name: 'n', expression: 'size(object.metadata.name)' }],
    }),
    async () => ask('a variable'),
  );
  await run(
    base([
      applied('has(object.metadata.labels) ? Object{} : Object{metadata: Object.metadata{name: "renamed"}}'),
    ]),
    async () => ask('the name cannot change'),
  );
  await run(base([applied('Object{status: Object.status{phase: "Set"}}')]), async () =>
    ask('the status of a new object'),
  );
}

export async function together(t) {
  const s = await scene(t, 'sec-mapt');
  const other = await t.namespace('conf-sec-mapt2');
  const maps = `/api/v1/namespaces/${s.ns}/configmaps`;
  await t.crd(crd(s.group, 'Team'));
  const teams = resource(s.group, 'v1', 'teams', s.ns);
  await clean(t, teams);
  const label = (key, value) => applied(`Object{metadata: Object.metadata{labels: {"${key}": ${value}}}}`);
  const base = (mutationsOf, rest = {}) => ({
    matchConstraints: match(s.group),
    reinvocationPolicy: 'Never',
    mutations: mutationsOf,
    ...rest,
  });
  const has = (key, value) =>
    changed(t, s.all, s.widget('w'), (b) =>
      value ? b.metadata.labels?.[key] === value : b.metadata.labels?.[key],
    );
  const ask = (labelOf, ns = s.ns, body = s.widget('w')) =>
    t.step(labelOf, 'POST', `/apis/${s.group}/v1/namespaces/${ns}/widgets?dryRun=All`, {
      body,
      pick: (b) => ({ labels: b.metadata.labels, spec: b.spec }),
    });
  const count =
    'string(int(has(object.metadata.labels) && "n" in object.metadata.labels ? object.metadata.labels["n"] : "0") + 1)';
  let ends = [
    await mutating(t, 'conf-sec-mapt-a', base([label('n', count), label('a', '"1"')]), {}, has('a')),
    await mutating(t, 'conf-sec-mapt-b', base([label('n', count), label('b', '"1"')]), {}, has('b')),
  ];
  await ask('two policies');
  for (const e of ends) await e();
  ends = [
    await mutating(
      t,
      'conf-sec-mapt-a',
      base(
        [
          label(
            'seen',
            '(has(object.metadata.labels) && "b" in object.metadata.labels) ? "after-b" : "before-b"',
          ),
          label('a', '"1"'),
        ],
        { reinvocationPolicy: 'IfNeeded' },
      ),
      {},
      has('a'),
    ),
    await mutating(t, 'conf-sec-mapt-b', base([label('b', '"1"')]), {}, has('b')),
  ];
  await ask('the first again, if needed');
  await validating(
    t,
    'conf-sec-mapt-v',
    {
      matchConstraints: match(s.group),
      validations: [
        {
          expression: '!("b" in object.metadata.labels) || object.metadata.name != "w"',
          message: 'b is not wanted',
        },
      ],
    },
    { validationActions: ['Deny'] },
    refused(t, s.all, s.widget('w')),
  );
  await ask('validation sees what was changed');
  for (const k of [KINDS.ValidatingAdmissionPolicyBinding, KINDS.ValidatingAdmissionPolicy])
    await t.setup('DELETE', `${k}/conf-sec-mapt-v`);
  await t.until('the validation to end', async () => !(await refused(t, s.all, s.widget('w'))()));
  for (const e of ends) await e();
  await t.setup('POST', teams, {
    body: custom(s.group, 'v1', 'Team', 'conf-sec-p', { spec: { team: 'blue' } }),
  });
  await t.setup('POST', teams, {
    body: custom(s.group, 'v1', 'Team', 'conf-sec-q', { spec: { team: 'red' } }),
  });
  const withParams = base([label('team', 'params.spec.team')], {
    paramKind: { apiVersion: `${s.group}/v1`, kind: 'Team' },
  });
  let end = await mutating(
    t,
    'conf-sec-mapt-p',
    withParams,
    { paramRef: { name: 'conf-sec-p', namespace: s.ns, parameterNotFoundAction: 'Deny' } },
    has('team'),
  );
  await ask('a parameter');
  await ask('from another namespace', other);
  await end();
  end = await mutating(
    t,
    'conf-sec-mapt-p',
    withParams,
    { paramRef: { name: 'conf-sec-q', parameterNotFoundAction: 'Deny' } },
    has('team', 'red'),
  );
  await ask('a parameter of the namespace');
  await ask('that is missing, with Deny', other);
  await end();
  end = await mutating(
    t,
    'conf-sec-mapt-p',
    withParams,
    { paramRef: { name: 'conf-sec-q', parameterNotFoundAction: 'Allow' } },
    has('team', 'red'),
  );
  await ask('that is missing, with Allow', other);
  await end();
  end = await mutating(
    t,
    'conf-sec-mapt-c',
    base([label('c', '"1"')], {
      matchConditions: [{ name: 'small', expression: 'object.spec.size != "l"' }],
    }),
    { matchResources: { objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] } } },
    has('c'),
  );
  await ask('a condition holds');
  await ask('a condition does not', s.ns, s.widget('w', { spec: { size: 'l' } }));
  await ask('a selector of the binding', s.ns, {
    ...s.widget('w'),
    metadata: { name: 'w', labels: { skip: 'x' } },
  });
  await t.step('a built-in kind is not concerned', 'POST', `${maps}?dryRun=All`, {
    body: { metadata: { name: 'm' } },
    pick: (b) => b.metadata.labels ?? null,
  });
  await end();
  end = await mutating(
    t,
    'conf-sec-mapt-m',
    {
      ...base([label('c', '"1"'), applied('Object{data: {"k": "v"}}')]),
      matchConstraints: {
        ...match('', { resources: ['configmaps'] }),
        objectSelector: { matchLabels: { want: 'conf-sec' } },
      },
    },
    {},
    changed(t, maps, { metadata: { name: 'm', labels: { want: 'conf-sec' } } }, (b) => b.data),
  );
  await t.step('a built-in kind', 'POST', `${maps}?dryRun=All`, {
    body: { metadata: { name: 'm', labels: { want: 'conf-sec' } } },
    pick: (b) => ({ labels: b.metadata.labels, data: b.data }),
  });
  await end();
}
