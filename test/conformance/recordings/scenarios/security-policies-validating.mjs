// ValidatingAdmissionPolicy: the objects, and what they allow, refuse and warn about.
import { crd, custom, resource } from '../lib/fixtures.mjs';
import { KINDS, match, object, refused, validating, warned } from './helpers/policies.mjs';
import { APPLY, as, clean, grant, lean, MERGE, names, rule, scene, user } from './helpers/security.mjs';

const POLICIES = KINDS.ValidatingAdmissionPolicy;
const BINDINGS = KINDS.ValidatingAdmissionPolicyBinding;
const any = match('conf.example.com');

export async function objects(t) {
  const name = 'conf-sec-vap';
  await clean(t, `${POLICIES}/${name}`, `${BINDINGS}/${name}`);
  await t.step('create: what is filled in', 'POST', POLICIES, {
    body: object('ValidatingAdmissionPolicy', name, {
      matchConstraints: any,
      validations: [{ expression: 'true' }],
    }),
  });
  await t.step('get', 'GET', `${POLICIES}/${name}`, { pick: lean });
  await t.step('as a table', 'GET', `${POLICIES}/${name}`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      columns: b.columnDefinitions.map((c) => [c.name, c.type, c.priority]),
      cells: b.rows.map((r) => r.cells.filter((_, i) => b.columnDefinitions[i].name !== 'Age')),
    }),
  });
  await t.step('a change counts as a generation', 'PATCH', `${POLICIES}/${name}`, {
    body: { spec: { failurePolicy: 'Ignore' } },
    type: MERGE,
    pick: (b) => [b.metadata.generation, b.spec.failurePolicy],
  });
  await t.step('the status', 'PATCH', `${POLICIES}/${name}/status`, {
    body: {
      status: {
        observedGeneration: 2,
        conditions: [
          {
            type: 'X',
            status: 'True',
            reason: 'R',
            message: 'm',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    },
    type: MERGE,
    pick: (b) => b.status,
  });
  await t.step('a binding', 'POST', BINDINGS, {
    body: object('ValidatingAdmissionPolicyBinding', name, { policyName: name, validationActions: ['Deny'] }),
  });
  await t.step('a binding as a table', 'GET', `${BINDINGS}/${name}`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({
      columns: b.columnDefinitions.map((c) => [c.name, c.type, c.priority]),
      cells: b.rows.map((r) => r.cells.filter((_, i) => b.columnDefinitions[i].name !== 'Age')),
    }),
  });
  await t.step('the policy of a binding can change', 'PATCH', `${BINDINGS}/${name}`, {
    body: { spec: { policyName: 'other' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('list by name', 'GET', `${BINDINGS}?fieldSelector=metadata.name%3D${name}`, { pick: names });
  await t.step('delete', 'DELETE', `${POLICIES}/${name}`);
  await t.step('delete of the binding', 'DELETE', `${BINDINGS}/${name}`);
  await t.step('v1beta1', 'GET', '/apis/admissionregistration.k8s.io/v1beta1', {
    pick: (b) => b.resources.map((r) => r.name),
  });
}

export async function policyFaults(t) {
  const bad = (label, spec) =>
    t.step(label, 'POST', `${POLICIES}?dryRun=All`, {
      body: object('ValidatingAdmissionPolicy', 'conf-sec-bad', {
        matchConstraints: any,
        validations: [{ expression: 'true' }],
        ...spec,
      }),
      pick: (b) => b.spec,
    });
  await bad('no constraints', { matchConstraints: undefined });
  await bad('no rules', { matchConstraints: { resourceRules: [] } });
  await bad('a rule without operations', {
    matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] },
  });
  await bad('an unknown operation', { matchConstraints: match('*', { operations: ['READ'] }) });
  await bad('all resources and one', { matchConstraints: match('*', { resources: ['*', 'pods'] }) });
  await bad('no validations', { validations: undefined });
  await bad('no validations but audit annotations', {
    validations: undefined,
    auditAnnotations: [{ key: 'k', valueExpression: '"v"' }],
  });
  await bad('an empty expression', { validations: [{ expression: ' ' }] });
  await bad('an expression that does not parse', { validations: [{ expression: 'object.' }] });
  await bad('an unknown variable', { validations: [{ expression: 'thing.x == 1' }] });
  await bad('an expression that is no bool', { validations: [{ expression: '"yes"' }] });
  await bad('an unknown function', { validations: [{ expression: 'size(object) > fly(1)' }] });
  await bad('params without paramKind', { validations: [{ expression: 'params.x == 1' }] });
  await bad('an unsupported reason', { validations: [{ expression: 'true', reason: 'Conflict' }] });
  await bad('a message of two lines', { validations: [{ expression: 'true', message: 'a\nb' }] });
  await bad('an empty message', { validations: [{ expression: 'true', message: ' ' }] });
  await bad('no message for two lines of expression', { validations: [{ expression: 'true ||\nfalse' }] });
  await bad('a messageExpression that is no string', {
    validations: [{ expression: 'true', messageExpression: '1' }],
  });
  await bad('a messageExpression that does not parse', {
    validations: [{ expression: 'true', messageExpression: 'object.' }],
  });
  await bad('an unknown failurePolicy', { failurePolicy: 'Maybe' });
  await bad('an unknown matchPolicy', { matchConstraints: { ...any, matchPolicy: 'Loose' } });
  await bad('a paramKind without kind', { paramKind: { apiVersion: 'v1' } });
  await bad('a paramKind with a bad version', { paramKind: { apiVersion: 'a/b/c', kind: 'X' } });
  await bad('a variable', {
    variables: [
      { name: 'v', expression: '1' },
      { name: 'w', expression: 'variables.v + 1' },
    ],
    validations: [{ expression: 'variables.w == 2' }],
  });
  await bad('a variable before it is known', {
    variables: [
      { name: 'w', expression: 'variables.v + 1' },
      { name: 'v', expression: '1' },
    ],
  });
  await bad('a variable with a bad name', { variables: [{ name: 'a-b', expression: '1' }] });
  await bad('a variable twice', {
    variables: [
      { name: 'v', expression: '1' },
      { name: 'v', expression: '2' },
    ],
  });
  await bad('an unknown variable of variables', { validations: [{ expression: 'variables.none' }] });
  await bad('a variable of another type', {
    variables: [{ name: 'v', expression: '"s"' }],
    validations: [{ expression: 'variables.v' }],
  });
  await bad('a condition', { matchConditions: [{ name: 'c', expression: 'request.operation == "CREATE"' }] });
  await bad('a condition without name', { matchConditions: [{ expression: 'true' }] });
  await bad('a condition twice', {
    matchConditions: [
      { name: 'c', expression: 'true' },
      { name: 'c', expression: 'true' },
    ],
  });
  await bad('a condition with a bad name', { matchConditions: [{ name: 'not a name', expression: 'true' }] });
  await bad('a condition with a bad expression', { matchConditions: [{ name: 'c', expression: '1' }] });
  await bad('an audit annotation with a bad key', {
    auditAnnotations: [{ key: 'a b', valueExpression: '"v"' }],
  });
  await bad('an audit annotation of another type', {
    auditAnnotations: [{ key: 'k', valueExpression: '1' }],
  });
  await bad('an audit annotation twice', {
    auditAnnotations: [
      { key: 'k', valueExpression: '"a"' },
      { key: 'k', valueExpression: '"b"' },
    ],
  });
  await bad('the authorizer may be used', {
    validations: [{ expression: 'authorizer.group("x").resource("y").check("get").allowed()' }],
  });
  await bad('a fault of the authorizer', { validations: [{ expression: 'authorizer.check("get")' }] });
  await bad('many faults', {
    failurePolicy: 'Maybe',
    matchConstraints: { resourceRules: [{}] },
    validations: [{ expression: '1' }, { expression: 'x' }],
  });
  await t.step('no spec', 'POST', POLICIES, { body: { metadata: { name: 'conf-sec-bad' } } });
  await t.step('a bad name', 'POST', POLICIES, {
    body: object('ValidatingAdmissionPolicy', 'Not A Name', {
      matchConstraints: any,
      validations: [{ expression: 'true' }],
    }),
  });
  const bind = (label, spec) =>
    t.step(`binding: ${label}`, 'POST', `${BINDINGS}?dryRun=All`, {
      body: object('ValidatingAdmissionPolicyBinding', 'conf-sec-bad', {
        policyName: 'p',
        validationActions: ['Deny'],
        ...spec,
      }),
      pick: (b) => b.spec,
    });
  await bind('no policyName', { policyName: undefined });
  await bind('a bad policyName', { policyName: 'Not A Name' });
  await bind('no actions', { validationActions: undefined });
  await bind('empty actions', { validationActions: [] });
  await bind('an unknown action', { validationActions: ['Shout'] });
  await bind('an action twice', { validationActions: ['Deny', 'Deny'] });
  await bind('Deny and Warn', { validationActions: ['Deny', 'Warn'] });
  await bind('Deny and Audit', { validationActions: ['Deny', 'Audit'] });
  await bind('a paramRef', { paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } });
  await bind('a paramRef without an action', { paramRef: { name: 'x' } });
  await bind('a paramRef of a name and a selector', {
    paramRef: { name: 'x', selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
  });
  await bind('a paramRef of neither', { paramRef: { parameterNotFoundAction: 'Deny' } });
  await bind('an unknown action for no params', {
    paramRef: { name: 'x', parameterNotFoundAction: 'Shrug' },
  });
  await bind('a matchResources without rules', { matchResources: {} });
  await bind('a matchResources', {
    matchResources: {
      namespaceSelector: { matchLabels: { a: 'b' } },
      objectSelector: { matchExpressions: [{ key: 'k', operator: 'Exists' }] },
    },
  });
  await bind('a bad selector', {
    matchResources: {
      objectSelector: { matchExpressions: [{ key: 'k', operator: 'Exists', values: ['x'] }] },
    },
  });
}

export async function verdicts(t) {
  const s = await scene(t, 'sec-vapv');
  await clean(t, s.all);
  const n = 'conf-sec-vapv';
  const sized = (size) => s.widget('w', { spec: { size } });
  await t.setup('POST', s.all, { body: s.widget('kept', { spec: { size: 'm', replicas: 1 } }) });
  await validating(
    t,
    n,
    {
      matchConstraints: match(s.group, {
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['widgets', 'widgets/status', 'widgets/scale'],
      }),
      variables: [
        {
          name: 'size',
          expression:
            'object != null && has(object.spec) && has(object.spec.size) ? object.spec.size : "none"',
        },
      ],
      validations: [
        { expression: 'variables.size != "bad"' },
        { expression: 'variables.size != "told"', message: 'told so' },
        {
          expression: 'variables.size != "said"',
          message: 'unused',
          messageExpression: '"size " + variables.size + " of " + object.metadata.name',
        },
        {
          expression: 'variables.size != "fails"',
          message: 'kept',
          messageExpression: 'string(object.spec.none)',
        },
        { expression: 'variables.size != "lines"', message: 'kept', messageExpression: '"a\\nb"' },
        { expression: 'variables.size != "empty"', messageExpression: '" "' },
        { expression: 'variables.size != "forbidden"', reason: 'Forbidden' },
        { expression: 'variables.size != "invalid"', reason: 'Invalid' },
        { expression: 'variables.size != "large"', reason: 'RequestEntityTooLarge', message: 'too large' },
        { expression: 'variables.size != "error" || object.spec.none == 1' },
        {
          expression:
            'oldObject == null || object == null || !has(oldObject.spec.size) || !has(object.spec) || !has(object.spec.size) || object.spec.size.size() >= oldObject.spec.size.size()',
          message: 'sizes only grow',
        },
        { expression: 'request.operation != "DELETE" || oldObject.spec.size != "pinned"', message: 'pinned' },
        {
          expression:
            '!has(request.subResource) || request.subResource != "status" || !has(object.status) || object.status.phase != "Bad"',
          message: 'bad status',
        },
        {
          expression:
            '!has(request.subResource) || request.subResource != "scale" || object.spec.replicas < 5',
          message: 'too many',
        },
        {
          expression:
            'namespaceObject.metadata.name == request.namespace && request.kind.kind in ["Widget", "Scale"] && request.resource.resource == "widgets" && request.name != "unwanted"',
          message: 'the request',
        },
        {
          expression: '!has(object.metadata) || request.userInfo.username != "conf-nobody"',
          message: 'the user',
        },
        { expression: '!(request.dryRun && variables.size == "dry")', message: 'a dry run' },
      ],
    },
    { validationActions: ['Deny'] },
    refused(t, s.all, sized('bad')),
  );
  for (const size of [
    'ok',
    'bad',
    'told',
    'said',
    'fails',
    'lines',
    'empty',
    'forbidden',
    'invalid',
    'large',
    'error',
  ])
    await t.step(`size ${size}`, 'POST', `${s.all}?dryRun=All`, { body: sized(size), pick: (b) => b.spec });
  await t.step('an invalid object is told of by the schema first', 'POST', s.all, {
    body: s.widget('w', { spec: { size: 'bad', replicas: 'x' } }),
  });
  await t.step('an update that grows', 'PATCH', s.at('kept'), {
    body: { spec: { size: 'mm' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('an update that shrinks', 'PATCH', s.at('kept'), {
    body: { spec: { size: 's' } },
    type: MERGE,
  });
  await t.step('by apply', 'PATCH', `${s.at('kept')}?fieldManager=m&force=true`, {
    body: s.widget('kept', { spec: { size: 's' } }),
    type: APPLY,
  });
  await t.step('apply that creates', 'PATCH', `${s.at('fresh')}?fieldManager=m`, {
    body: s.widget('fresh', { spec: { size: 'told' } }),
    type: APPLY,
  });
  await t.step('pin it', 'PATCH', s.at('kept'), {
    body: { spec: { size: 'pinned' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('delete', 'DELETE', s.at('kept'));
  await t.step('deletecollection', 'DELETE', s.all);
  await t.step('status', 'PATCH', `${s.at('kept')}/status`, {
    body: { status: { phase: 'Bad' } },
    type: MERGE,
  });
  await t.step('a good status', 'PATCH', `${s.at('kept')}/status`, {
    body: { status: { phase: 'Good' } },
    type: MERGE,
    pick: (b) => b.status,
  });
  await t.step('scale', 'PATCH', `${s.at('kept')}/scale`, { body: { spec: { replicas: 9 } }, type: MERGE });
  await t.step('the name', 'POST', s.all, { body: s.widget('unwanted') });
  await t.step('a dry run', 'POST', `${s.all}?dryRun=All`, { body: sized('dry') });
  await grant(t, s.ns, 'makers', [rule(s.group, 'widgets', 'create')], user('conf-nobody'));
  await t.step('the user', 'POST', `${s.all}?dryRun=All`, { headers: as('conf-nobody'), body: sized('ok') });
  await t.setup('DELETE', `${BINDINGS}/${n}`);
  await t.until('the binding to be forgotten', async () => !(await refused(t, s.all, sized('bad'))()));
  await t.step('without a binding nothing is asked', 'POST', `${s.all}?dryRun=All`, {
    body: sized('bad'),
    pick: (b) => b.spec,
  });
}

export async function actions(t) {
  const s = await scene(t, 'sec-vapa');
  const sized = (size) => s.widget('w', { spec: { size } });
  const url = `${s.all}?dryRun=All`;
  const spec = (expression, rest = {}) => ({
    matchConstraints: match(s.group),
    validations: [{ expression, message: `not ${expression.slice(-8)}` }],
    ...rest,
  });
  const ask = (label, size) => t.step(label, 'POST', url, { body: sized(size), pick: (b) => b.spec });
  let end = await validating(
    t,
    'conf-sec-warn',
    spec('object.spec.size != "bad"'),
    { validationActions: ['Warn'] },
    warned(t, s.all, sized('bad')),
  );
  await ask('Warn', 'bad');
  await ask('Warn, of a good one', 'good');
  await end();
  end = await validating(
    t,
    'conf-sec-audit',
    spec('object.spec.size != "bad"'),
    [
      { validationActions: ['Audit'] },
      {
        validationActions: ['Warn', 'Audit'],
        matchResources: { objectSelector: { matchLabels: { probe: 'x' } } },
      },
    ],
    warned(t, s.all, { ...sized('bad'), metadata: { name: 'w', labels: { probe: 'x' } } }),
  );
  await ask('Audit', 'bad');
  await end();
  end = await validating(
    t,
    'conf-sec-two',
    spec('object.spec.size != "bad"'),
    [{ validationActions: ['Warn'] }, { validationActions: ['Deny'] }],
    refused(t, s.all, sized('bad')),
  );
  await ask('two bindings', 'bad');
  await end();
  end = await validating(
    t,
    'conf-sec-fail',
    spec('object.spec.size != "bad" && object.spec.replicas > 0'),
    { validationActions: ['Deny'] },
    refused(t, s.all, sized('bad')),
  );
  await ask('an expression that fails, with Fail', 'good');
  await end();
  end = await validating(
    t,
    'conf-sec-ignore',
    spec('object.spec.size != "bad" && object.spec.replicas > 0', { failurePolicy: 'Ignore' }),
    { validationActions: ['Deny'] },
    refused(t, s.all, sized('bad')),
  );
  await ask('an expression that fails, with Ignore', 'good');
  await ask('one that is false, with Ignore', 'bad');
  await end();
  end = await validating(
    t,
    'conf-sec-fwarn',
    spec('object.spec.replicas > 0'),
    { validationActions: ['Warn'] },
    warned(t, s.all, sized('bad')),
  );
  await ask('an expression that fails, with Warn', 'good');
  await end();
  end = await validating(
    t,
    'conf-sec-many',
    {
      matchConstraints: match(s.group),
      validations: [
        { expression: 'object.spec.size != "bad"', message: 'one' },
        { expression: 'object.spec.size != "bad"', message: 'two', reason: 'Forbidden' },
      ],
    },
    { validationActions: ['Deny'] },
    refused(t, s.all, sized('bad')),
  );
  await ask('two validations', 'bad');
  await end();
  end = await validating(
    t,
    'conf-sec-manyw',
    {
      matchConstraints: match(s.group),
      validations: [
        { expression: 'object.spec.size != "bad"', message: 'one' },
        { expression: 'object.spec.size != "bad"', message: 'two' },
      ],
    },
    { validationActions: ['Warn'] },
    warned(t, s.all, sized('bad')),
  );
  await ask('two warnings', 'bad');
  await end();
}

export async function conditionsAndSelectors(t) {
  const s = await scene(t, 'sec-vapc');
  const other = await t.namespace('conf-sec-vapc2');
  await t.setup('PATCH', `/api/v1/namespaces/${s.ns}`, {
    body: { metadata: { labels: { tier: 'gold' } } },
    type: MERGE,
  });
  const never = [{ expression: 'false', message: 'never' }];
  const asked = async (label, headers = {}) => {
    const out = {};
    const at = async (what, ns, metadata = {}, spec = { size: 'm' }) => {
      out[what] = (
        await t.client.request('POST', `/apis/${s.group}/v1/namespaces/${ns}/widgets?dryRun=All`, {
          headers,
          body: { ...s.widget('w', { spec }), metadata: { name: 'w', ...metadata } },
        })
      ).status;
    };
    await at('here', s.ns);
    await at('there', other);
    await at('labelled', s.ns, { labels: { app: 'x' } });
    await at('large', s.ns, {}, { size: 'l' });
    await at('named', s.ns, { name: 'exempt' });
    t.note(label, out);
  };
  const plain = refused(t, s.all, {
    ...s.widget('w', { spec: { size: 'l' } }),
    metadata: { name: 'w', labels: { app: 'x' } },
  });
  const run = async (label, constraints, spec = {}, binding = {}) => {
    const end = await validating(
      t,
      'conf-sec-vapc',
      { matchConstraints: { ...match(s.group), ...constraints }, validations: never, ...spec },
      { validationActions: ['Deny'], ...binding },
      plain,
    );
    await asked(label);
    await end();
  };
  await run('everything', {});
  await run('a namespaceSelector', { namespaceSelector: { matchLabels: { tier: 'gold' } } });
  await run('an objectSelector', { objectSelector: { matchLabels: { app: 'x' } } });
  await run('an excluded name', {
    excludeResourceRules: [
      {
        apiGroups: [s.group],
        apiVersions: ['*'],
        resources: ['widgets'],
        operations: ['*'],
        resourceNames: ['exempt'],
      },
    ],
  });
  await run('a resource name', {
    resourceRules: [
      {
        apiGroups: [s.group],
        apiVersions: ['*'],
        resources: ['widgets'],
        operations: ['*'],
        resourceNames: ['w'],
      },
    ],
  });
  await run(
    'a binding with a namespaceSelector',
    {},
    {},
    { matchResources: { namespaceSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } } },
  );
  await run(
    'a binding with an objectSelector',
    {},
    {},
    {
      matchResources: {
        objectSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] },
      },
    },
  );
  await run(
    'a binding with rules',
    {},
    {},
    {
      matchResources: {
        resourceRules: [
          {
            apiGroups: ['*'],
            apiVersions: ['v1'],
            resources: ['widgets'],
            operations: ['CREATE'],
            resourceNames: ['w'],
          },
        ],
      },
    },
  );
  await run(
    'a condition on the object',
    {},
    { matchConditions: [{ name: 'large', expression: 'object.spec.size == "l"' }] },
  );
  await run(
    'two conditions',
    {},
    {
      matchConditions: [
        { name: 'large', expression: 'object.spec.size == "l"' },
        { name: 'here', expression: `request.namespace == "${s.ns}"` },
      ],
    },
  );
  await run(
    'a condition that fails for some, and a false one',
    {},
    {
      matchConditions: [
        { name: 'labelled', expression: 'object.metadata.labels.app == "x"' },
        { name: 'large', expression: 'object.spec.size == "l"' },
      ],
    },
  );
  await run(
    'a condition on the authorizer',
    {},
    {
      matchConditions: [
        {
          name: 'may',
          expression: 'authorizer.group("conf.example.com").resource("things").check("fly").allowed()',
        },
      ],
    },
  );
  const end = await validating(
    t,
    'conf-sec-vapc',
    {
      matchConstraints: match(s.group),
      validations: never,
      matchConditions: [{ name: 'labelled', expression: 'object.metadata.labels.app == "x"' }],
    },
    { validationActions: ['Deny'] },
    plain,
  );
  await t.step('a condition that fails', 'POST', `${s.all}?dryRun=All`, { body: s.widget('w') });
  await end();
}

export async function parameters(t) {
  const s = await scene(t, 'sec-vapp');
  const other = await t.namespace('conf-sec-vapp2');
  // Not config maps: kube-apiserver reads built-in kinds no more once the last policy about them has gone.
  await t.crd(crd(s.group, 'Limit'));
  const limits = resource(s.group, 'v1', 'limits', s.ns);
  const limit = (name, max) => ({
    ...custom(s.group, 'v1', 'Limit', name, { spec: { max } }),
    metadata: { name, labels: { use: 'limits' } },
  });
  await clean(t, limits);
  await t.setup('POST', limits, { body: limit('limits', 3) });
  const spec = {
    paramKind: { apiVersion: `${s.group}/v1`, kind: 'Limit' },
    matchConstraints: match(s.group),
    validations: [
      {
        expression: 'params != null && object.spec.replicas <= params.spec.max',
        messageExpression: 'params == null ? "no params" : "at most " + string(params.spec.max)',
      },
    ],
  };
  const big = s.widget('w', { spec: { replicas: 9 } });
  const ask = (label, replicas, ns = s.ns) =>
    t.step(label, 'POST', `/apis/${s.group}/v1/namespaces/${ns}/widgets?dryRun=All`, {
      body: s.widget('w', { spec: { replicas } }),
      pick: (b) => b.spec,
    });
  const run = (binding, test = refused(t, s.all, big)) =>
    validating(t, 'conf-sec-vapp', spec, { validationActions: ['Deny'], ...binding }, test);
  let end = await run({ paramRef: { name: 'limits', namespace: s.ns, parameterNotFoundAction: 'Deny' } });
  await t.until(
    'the parameter to be read',
    async () =>
      (
        await t.client.request('POST', `${s.all}?dryRun=All`, {
          body: s.widget('w', { spec: { replicas: 3 } }),
        })
      ).status === 201,
  );
  await ask('by name: within', 3);
  await ask('by name: beyond', 4);
  await ask('by name: in another namespace', 4, other);
  await t.setup('PATCH', `${limits}/limits`, { body: { spec: { max: 5 } }, type: MERGE });
  await t.until(
    'the new parameter to be read',
    async () =>
      (
        await t.client.request('POST', `${s.all}?dryRun=All`, {
          body: s.widget('w', { spec: { replicas: 5 } }),
        })
      ).status === 201,
  );
  await ask('after a change', 4);
  await end();
  end = await run({ paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } });
  await t.until(
    'the parameter to be read',
    async () =>
      (
        await t.client.request('POST', `${s.all}?dryRun=All`, {
          body: s.widget('w', { spec: { replicas: 3 } }),
        })
      ).status === 201,
  );
  await ask('of the namespace of the request: within', 5);
  await ask('of the namespace of the request: beyond', 6);
  await ask('of a namespace that has none', 1, other);
  await end();
  end = await run({ paramRef: { name: 'none', namespace: s.ns, parameterNotFoundAction: 'Deny' } });
  await ask('not found, with Deny', 1);
  await end();
  end = await run({ paramRef: { name: 'limits', parameterNotFoundAction: 'Allow' } });
  await ask('not found, with Allow', 9, other);
  await end();
  await t.setup('POST', limits, { body: limit('more', 4) });
  end = await run({
    paramRef: { selector: { matchLabels: { use: 'limits' } }, parameterNotFoundAction: 'Deny' },
  });
  await t.until(
    'the parameters to be read',
    async () =>
      (
        await t.client.request('POST', `${s.all}?dryRun=All`, {
          body: s.widget('w', { spec: { replicas: 3 } }),
        })
      ).status === 201,
  );
  await t.until(
    'both parameters to be read',
    async () =>
      (
        await t.client.request('POST', `${s.all}?dryRun=All`, {
          body: s.widget('w', { spec: { replicas: 5 } }),
        })
      ).status === 422,
  );
  await ask('by selector: within both', 4);
  await ask('by selector: beyond one', 5);
  await ask('by selector: none there', 1, other);
  await end();
  end = await run({});
  await ask('no paramRef', 1);
  await end();
  end = await validating(
    t,
    'conf-sec-vapp',
    { ...spec, paramKind: { apiVersion: 'conf.example.com/v1', kind: 'Nothing' } },
    { validationActions: ['Deny'], paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } },
    refused(t, s.all, big),
  );
  await ask('a kind that does not exist', 1);
  await end();
}

export async function authorizer(t) {
  const s = await scene(t, 'sec-vapz');
  const url = `${s.all}?dryRun=All`;
  await grant(
    t,
    s.ns,
    'makers',
    [
      rule(s.group, 'widgets', 'create'),
      rule(s.group, 'widgets', 'approve', { resourceNames: ['allowed'] }),
      rule('', 'secrets', 'get'),
    ],
    [user('conf-maker'), { kind: 'ServiceAccount', namespace: s.ns, name: 'robot' }],
  );
  await grant(
    t,
    undefined,
    'conf-sec-vapz',
    [{ nonResourceURLs: ['/conf/approve'], verbs: ['get'] }],
    user('conf-maker'),
  );
  const expressions = {
    'a verb on the request': 'authorizer.requestResource.check("create").allowed()',
    'another verb on the request': 'authorizer.requestResource.check("approve").allowed()',
    'by name': `authorizer.group("${s.group}").resource("widgets").namespace("${s.ns}").name("allowed").check("approve").allowed()`,
    'by another name': `authorizer.group("${s.group}").resource("widgets").namespace("${s.ns}").name("other").check("approve").allowed()`,
    'without a namespace': `authorizer.group("${s.group}").resource("widgets").check("create").allowed()`,
    'a core resource': `authorizer.group("").resource("secrets").namespace("${s.ns}").check("get").allowed()`,
    'a subresource': `authorizer.group("${s.group}").resource("widgets").subresource("status").namespace("${s.ns}").check("create").allowed()`,
    'a path': 'authorizer.path("/conf/approve").check("get").allowed()',
    'another path': 'authorizer.path("/conf/other").check("get").allowed()',
    'a service account': `authorizer.serviceAccount("${s.ns}", "robot").group("").resource("secrets").namespace("${s.ns}").check("get").allowed()`,
    'another service account': `authorizer.serviceAccount("${s.ns}", "other").group("").resource("secrets").namespace("${s.ns}").check("get").allowed()`,
    'a reason': 'authorizer.requestResource.check("create").reason() != ""',
    'an error':
      '!authorizer.requestResource.check("create").errored() && authorizer.requestResource.check("create").error() == ""',
    'a field selector': `authorizer.group("").resource("secrets").namespace("${s.ns}").fieldSelector("metadata.name=x").check("get").allowed()`,
    'a label selector': `authorizer.group("").resource("secrets").namespace("${s.ns}").labelSelector("a=b").check("list").allowed()`,
  };
  for (const [what, expression] of Object.entries(expressions)) {
    const end = await validating(
      t,
      'conf-sec-vapz',
      {
        matchConstraints: match(s.group),
        validations: [{ expression: `object.metadata.name != "probe" && ${expression}`, message: 'no' }],
      },
      { validationActions: ['Deny'] },
      refused(t, s.all, s.widget('probe')),
    );
    t.note(what, {
      maker: (await t.client.request('POST', url, { headers: as('conf-maker'), body: s.widget('w') })).status,
      admin: (await t.client.request('POST', url, { body: s.widget('w') })).status,
    });
    await end();
  }
}
