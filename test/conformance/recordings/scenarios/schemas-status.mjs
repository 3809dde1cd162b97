// Validation of the status subresource.
import { integer, object, string } from '../lib/fixtures.mjs';
import { content, install } from './schemas/install.mjs';

const condition = object(
  {
    type: string,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: string,
  },
  { required: ['type', 'status'] },
);
const conditions = {
  type: 'array',
  maxItems: 10,
  items: condition,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};
const spec = object({ max: { type: 'integer', maximum: 100 }, note: string });
const done = {
  type: 'boolean',
  'x-kubernetes-validations': [{ rule: 'self || !oldSelf', message: 'may not be undone' }],
};
const status = object(
  {
    phase: { type: 'string', enum: ['Up', 'Down'] },
    count: { type: 'integer', minimum: 0 },
    conditions,
    done,
  },
  {
    'x-kubernetes-validations': [
      {
        rule: '!has(self.phase) || self.phase != "Down" || !has(self.count) || self.count == 0',
        message: 'nothing runs while down',
      },
    ],
  },
);
const root = {
  'x-kubernetes-validations': [
    {
      rule: '!has(self.status) || !has(self.status.count) || !has(self.spec.max) || self.status.count <= self.spec.max',
      message: 'more than max',
    },
  ],
};

export async function statusSubresource(t) {
  const w = await install(t, 'status', object({ spec, status }, { required: ['spec'], ...root }), {
    subresources: { status: {} },
  });
  const sub = { sub: '/status' };
  await w.create('a status is dropped on create, valid or not', 'a', {
    spec: { max: 5 },
    status: { phase: 'Sideways' },
  });
  await w.patch(
    'a status',
    'a',
    { status: { phase: 'Up', count: 1 } },
    {
      ...sub,
      pick: (b) => ({ generation: b.metadata.generation, ...content(b) }),
    },
  );
  for (const [label, change] of [
    ['a value that is not in the enum', { phase: 'Sideways' }],
    ['a value below the minimum', { count: -1 }],
    ['a wrong type', { count: 'x' }],
    ['a condition without a status', { conditions: [{ type: 'Ready' }] }],
    [
      'two conditions of one type',
      {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Ready', status: 'False' },
        ],
      },
    ],
    ['a rule on the status', { phase: 'Down' }],
    ['a rule on the root', { count: 6 }],
    ['an unknown field', { extra: 1 }],
    ['a null', { count: null }],
    ['a condition', { conditions: [{ type: 'Ready', status: 'True', extra: 1 }], done: true }],
    ['a transition rule', { done: false }],
  ])
    await w.patch(label, 'a', { status: change }, sub);
  await w.replace(
    'the whole status by PUT',
    'a',
    (o) => {
      o.status = { phase: 'Up', count: 2 };
    },
    sub,
  );
  await w.replace(
    'a bad spec by way of the status is ignored',
    'a',
    (o) => {
      o.spec = { max: 1000 };
      o.status.count = 3;
    },
    sub,
  );
  await w.replace(
    'metadata by way of the status is ignored',
    'a',
    (o) => {
      o.metadata.labels = { a: 'b' };
      o.metadata.finalizers = ['example.com/f'];
      o.status.count = 4;
    },
    {
      ...sub,
      pick: ({ metadata, ...b }) => ({
        labels: metadata.labels,
        finalizers: metadata.finalizers,
        status: b.status,
      }),
    },
  );
  await w.patch(
    'a bad label by way of the status is ignored',
    'a',
    { metadata: { labels: { a: '-' } } },
    sub,
  );
  await w.replace('a bad status by way of the object is ignored', 'a', (o) => {
    o.spec.note = 'x';
    o.status = { phase: 'Sideways' };
  });
  await w.patch('a rule on the root, broken by the spec', 'a', { spec: { max: 1 } });
  await w.patch('a status that is a string', 'a', { status: 'x' }, sub);
  await w.patch('a status that is a list', 'a', { status: [] }, sub);
  await w.replace(
    'a PUT without a status removes it',
    'a',
    (o) => {
      delete o.status;
    },
    sub,
  );
  await w.patch('a status that is null', 'a', { status: null }, sub);
  await w.read('read by way of the status', 'a/status');
  await w.apply(
    'apply to the status',
    'a/status',
    { status: { count: 1 } },
    { body: w.body('a', { status: { count: 1 }, spec: { max: 7 } }) },
  );
  await t.step('the status of an object that does not exist', 'PUT', `${w.url}/none/status`, {
    body: w.body('none', { spec: {} }),
  });
  await t.step('create at the status', 'POST', `${w.url}/a/status`, { body: w.body('a', { spec: {} }) });
  await w.replace(
    'no resourceVersion',
    'a',
    (o) => {
      delete o.metadata.resourceVersion;
    },
    sub,
  );
}

export async function statusTightened(t) {
  const open = (more) =>
    object(
      {
        spec: object({ size: { type: 'integer', ...more.spec }, note: string }),
        status: object({ phase: { type: 'string', ...more.phase }, count: integer }, more.status),
      },
      more.root,
    );
  const w = await install(t, 'status-tight', open({}), { subresources: { status: {} } });
  await w.seed('a', { spec: { size: 99 } });
  await t.setup('PATCH', `${w.url}/a/status`, {
    body: { status: { phase: 'odd' } },
    type: 'application/merge-patch+json',
  });
  const sub = { sub: '/status' };
  /** Whether a size that is too large is now blamed on the field itself, or on the object. */
  const blames = (field) => async () => {
    const faults = await w.faults({ spec: { size: 99 } });
    return faults.length > 0 && faults.includes('spec.size') === field;
  };
  await w.reschema(open({ spec: { maximum: 10 }, phase: { enum: ['Up'] } }), blames(true));
  await w.patch('a status while the spec is not valid', 'a', { status: { count: 1 } }, sub);
  await w.patch('another bad value in the status', 'a', { status: { phase: 'other' } }, sub);
  await w.patch('a spec while the status is not valid', 'a', { spec: { note: 'x' } });
  await w.reschema(
    open({
      root: {
        'x-kubernetes-validations': [
          { rule: '!has(self.spec.size) || self.spec.size < 10', message: 'too large' },
        ],
      },
    }),
    blames(false),
  );
  await w.patch(
    'a rule on the root over the spec, when the status changes',
    'a',
    { status: { count: 2 } },
    sub,
  );
  await w.patch('a rule on the root over the spec, when only a label changes', 'a', {
    metadata: { labels: { a: 'b' } },
  });
  await w.reschema(
    open({ spec: { 'x-kubernetes-validations': [{ rule: 'self < 10', message: 'too large' }] } }),
    blames(true),
  );
  await w.patch('a rule on a field of the spec, when the status changes', 'a', { status: { count: 3 } }, sub);
}

export async function statusWithoutSubresource(t) {
  const w = await install(t, 'status-plain', object({ spec, status }, root));
  await w.create('a status is kept on create', 'a', { spec: { max: 5 }, status: { phase: 'Up', count: 1 } });
  await w.create('a bad status on create', 'b', { status: { phase: 'Sideways' } });
  await w.patch(
    'a status by way of the object',
    'a',
    { status: { count: 2 } },
    {
      pick: (b) => ({ generation: b.metadata.generation, ...content(b) }),
    },
  );
  await w.patch('a bad status by way of the object', 'a', { status: { count: -1 } });
  await t.step('there is no status to read', 'GET', `${w.url}/a/status`);
  await t.step('there is no status to update', 'PUT', `${w.url}/a/status`, { body: w.body('a', {}) });
}

export async function scaleValues(t) {
  const schema = object({
    spec: object({ replicas: { 'x-kubernetes-preserve-unknown-fields': true } }),
    status: object({
      replicas: { 'x-kubernetes-preserve-unknown-fields': true },
      selector: { 'x-kubernetes-preserve-unknown-fields': true },
    }),
  });
  const w = await install(t, 'scale', schema, {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  });
  await w.tries([
    ['replicas', { replicas: 3 }],
    ['no replicas', {}],
    ['negative replicas', { replicas: -1 }],
    ['replicas beyond 32 bits', { replicas: 2147483648 }],
    ['replicas that are a string', { replicas: '3' }],
    ['replicas that are a fraction', { replicas: 1.5 }],
    ['replicas that are null', { replicas: null }],
  ]);
  await w.seed('a', { spec: { replicas: 1 } });
  for (const [label, change] of [
    ['replicas in the status', { replicas: 1, selector: 'a=b' }],
    ['negative replicas in the status', { replicas: -1 }],
    ['a selector that is not a string', { selector: 5 }],
  ])
    await w.patch(label, 'a', { status: change }, { sub: '/status' });
}
