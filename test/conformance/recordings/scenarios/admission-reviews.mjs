// What a webhook is told of each request, and what the client gets of its answer.
import { admissionAnswer } from '../lib/webhook.mjs';
import {
  APPLY,
  brief,
  JSON_PATCH,
  MERGE,
  MUTATING,
  plain,
  rule,
  scene,
  take,
  VALIDATING,
  webhook,
} from './helpers/admission.mjs';

const allow = admissionAnswer(() => ({ allowed: true }));

/**
 * Makes a request and compares the last review that it caused: a server may try first with an object that is
 * out of date.
 */
const reviewer =
  (t, hook) =>
  async (label, method, url, options, show = brief) => {
    await t.setup(method, url, options);
    const last = take(hook).at(-1);
    t.note(label, last ? show(last.review) : null);
  };

export async function reviews(t) {
  const { group, ns, all, at, make, configure } = await scene(t, 'admission-reviews');
  const hook = await t.webhook(allow);
  await configure(VALIDATING, 'all', [
    webhook('all.conf.example.com', hook, rule(group, { resources: ['crontabs', 'crontabs/*'] }), {
      path: '/some/path',
      timeoutSeconds: 7,
    }),
  ]);
  take(hook);
  const reviewed = reviewer(t, hook);

  await t.setup('POST', `${all}?fieldManager=creator`, {
    body: make(
      'a',
      { spec: { image: 'i', replicas: 1, unknown: 1 }, status: { phase: 'no' } },
      { labels: { a: 'b' } },
    ),
  });
  const [first] = take(hook);
  t.note('the path and the timeout', first?.url ?? null);
  t.note('create: the whole review', first ? plain(first.review) : null);

  const read = await t.setup('GET', at('a'));
  await reviewed(
    'update',
    'PUT',
    `${at('a')}?fieldManager=putter`,
    { body: { ...read, spec: { ...read.spec, image: 'j' } } },
    plain,
  );
  await reviewed('update without a change', 'PUT', at('a'), {
    body: {
      ...read,
      metadata: {
        ...read.metadata,
        resourceVersion: (await t.setup('GET', at('a'))).metadata.resourceVersion,
      },
      spec: { ...read.spec, image: 'j' },
    },
  });
  await reviewed('merge patch', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { spec: { replicas: 2 } },
    type: MERGE,
  });
  await reviewed('JSON patch', 'PATCH', `${at('a')}?fieldManager=patcher`, {
    body: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
    type: JSON_PATCH,
  });
  await reviewed('apply over an object', 'PATCH', `${at('a')}?fieldManager=alpha&force=true`, {
    body: make('a', { spec: { image: 'applied' } }),
    type: APPLY,
  });
  await reviewed('apply that creates', 'PATCH', `${at('b')}?fieldManager=alpha`, {
    body: make('b', { spec: { image: 'applied' } }),
    type: APPLY,
  });
  await reviewed('status update', 'PUT', `${at('a')}/status`, {
    body: { ...(await t.setup('GET', at('a'))), spec: { image: 'no' }, status: { phase: 'Ready' } },
  });
  await reviewed('status patch', 'PATCH', `${at('a')}/status`, {
    body: { status: { replicas: 3 } },
    type: MERGE,
  });
  await reviewed(
    'scale update',
    'PUT',
    `${at('a')}/scale`,
    {
      body: {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace: ns },
        spec: { replicas: 5 },
      },
    },
    plain,
  );
  await reviewed('scale patch', 'PATCH', `${at('a')}/scale`, {
    body: { spec: { replicas: 6 } },
    type: MERGE,
  });
  await reviewed('dry-run create', 'POST', `${all}?dryRun=All&fieldManager=dry&fieldValidation=Strict`, {
    body: make('c', { spec: { image: 'i' } }),
  });
  await reviewed('dry-run delete', 'DELETE', `${at('a')}?dryRun=All`);
  await reviewed(
    'create with generateName',
    'POST',
    all,
    { body: { ...make('x', { spec: {} }), metadata: { generateName: 'g-' } } },
    ({ request }) => ({
      named: /^g-.{5}$/.test(request.name),
      sameName: request.object.metadata.name === request.name,
      generateName: request.object.metadata.generateName,
    }),
  );
  await reviewed('delete', 'DELETE', at('b'), undefined, plain);
  await reviewed('delete with options', 'DELETE', at('a'), {
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions: { uid: read.metadata.uid },
    },
  });

  await t.setup('POST', all, { body: make('l1', { spec: { image: '1' } }, { labels: { l: 'y' } }) });
  await t.setup('POST', all, { body: make('l2', { spec: { image: '2' } }, { labels: { l: 'y' } }) });
  take(hook);
  await t.setup('DELETE', `${all}?labelSelector=l%3Dy`);
  const deleted = take(hook)
    .map((c) => c.review)
    .sort((a, b) =>
      (a.request.oldObject?.metadata.name ?? '') < (b.request.oldObject?.metadata.name ?? '') ? -1 : 1,
    );
  t.note('deletecollection: one review for each object', deleted.map(brief));
  await t.client.request('POST', all, { body: make('bad', { spec: { image: 3 } }) });
  await t.client.request('PUT', at('missing'), { body: make('missing') });
  await t.client.request('DELETE', at('missing'));
  await t.client.request('GET', all);
  t.note(
    'reads, invalid objects and missing ones do not reach a validating webhook',
    take(hook).map((c) => `${c.review.request.operation} ${c.review.request.name}`),
  );
}

export async function mutatingReviews(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-mutreviews');
  const hook = await t.webhook(allow);
  await configure(MUTATING, 'all', [
    webhook('all.conf.example.com', hook, rule(group, { resources: ['*/*'] })),
  ]);
  take(hook);
  const reviewed = reviewer(t, hook);
  await reviewed(
    'create: the object is not yet complete',
    'POST',
    `${all}?fieldManager=creator`,
    { body: make('a', { spec: { image: 'i', replicas: 1, unknown: 1 }, status: { phase: 'no' } }) },
    plain,
  );
  await reviewed('patch', 'PATCH', at('a'), { body: { spec: { image: 'j' } }, type: MERGE });
  await reviewed('status patch', 'PATCH', `${at('a')}/status`, {
    body: { spec: { image: 'no' }, status: { phase: 'p' } },
    type: MERGE,
  });
  await reviewed('scale patch', 'PATCH', `${at('a')}/scale`, {
    body: { spec: { replicas: 2 } },
    type: MERGE,
  });
  await reviewed('delete', 'DELETE', at('a'));
  await reviewed(
    'create with generateName',
    'POST',
    all,
    { body: { ...make('x', { spec: {} }), metadata: { generateName: 'g-' } } },
    ({ request }) => ({
      name: request.name ?? null,
      objectName: request.object.metadata.name ?? null,
      generateName: request.object.metadata.generateName,
    }),
  );
  await t.client.request('POST', all, { body: make('bad', { spec: { image: 3 } }) });
  await t.client.request('POST', all, { body: make('Bad_name') });
  await t.client.request('PUT', at('missing'), { body: make('missing') });
  await t.client.request('DELETE', at('missing'));
  t.note(
    'a mutating webhook is asked before validation',
    take(hook).map((c) => `${c.review.request.operation} ${c.review.request.name}`),
  );
}

/** Who asks is told as the server knows it, here under a name that is put on. */
export async function userInfo(t) {
  const { group, all, make, configure } = await scene(t, 'admission-user');
  const hook = await t.webhook(allow);
  await configure(VALIDATING, 'v', [webhook('v.conf.example.com', hook, rule(group))]);
  await configure(MUTATING, 'm', [webhook('m.conf.example.com', hook, rule(group))]);
  const as = async (label, headers) => {
    take(hook);
    await t.step(label, 'POST', `${all}?dryRun=All`, {
      headers,
      body: make('a'),
      pick: (b) => b.metadata.name,
    });
    t.note(
      `${label}: what both webhooks were told`,
      take(hook).map((c) => c.review.request.userInfo),
    );
  };
  await as('a user of one group', { 'Impersonate-User': 'jane', 'Impersonate-Group': 'system:masters' });
  await as('a user with uid and extras', {
    'Impersonate-User': 'jane',
    'Impersonate-Group': 'system:masters',
    'Impersonate-Uid': 'u-1',
    'Impersonate-Extra-Reason': 'test',
    'Impersonate-Extra-a.example.com%2Fscopes': 'one',
  });
}

export async function oldReviewVersion(t) {
  const { group, all, make, configure } = await scene(t, 'admission-oldreview');
  const hook = await t.webhook(allow);
  await configure(VALIDATING, 'old', [
    webhook('old.conf.example.com', hook, rule(group), {
      path: '/old',
      admissionReviewVersions: ['v9', 'v1beta1', 'v1'],
    }),
    webhook('new.conf.example.com', hook, rule(group), {
      path: '/new',
      admissionReviewVersions: ['v1', 'v1beta1'],
    }),
  ]);
  take(hook);
  await t.step('both are asked', 'POST', all, { body: make('a'), pick: (b) => b.metadata.name });
  t.note(
    'each in the first version that the server knows',
    take(hook)
      .map((c) => `${c.url.split('?')[0]} ${c.review.apiVersion}`)
      .sort(),
  );
}

export async function verdicts(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-verdicts');
  const answers = {
    allowed: { allowed: true },
    'allowed with a status': { allowed: true, status: { message: 'ignored', code: 418 } },
    'denied without a status': { allowed: false },
    'denied with a message': { allowed: false, status: { message: 'because' } },
    'denied with a reason': { allowed: false, status: { reason: 'NotNow' } },
    'denied with message and reason': { allowed: false, status: { message: 'because', reason: 'Forbidden' } },
    'denied with a code': { allowed: false, status: { code: 403 } },
    'denied with message and code': { allowed: false, status: { message: 'because', code: 409 } },
    'denied with a code of success': { allowed: false, status: { message: 'because', code: 200 } },
    'denied with a code of the server': { allowed: false, status: { message: 'because', code: 503 } },
    'denied with a status of success': { allowed: false, status: { status: 'Success', message: 'because' } },
    'denied with details': {
      allowed: false,
      status: {
        message: 'because',
        reason: 'Invalid',
        code: 422,
        details: {
          name: 'n',
          kind: 'k',
          causes: [{ reason: 'FieldValueInvalid', message: 'wrong', field: 'spec.image' }],
        },
      },
    },
    'denied by nothing but a uid': {},
  };
  const hook = await t.webhook((review) => ({
    apiVersion: review.apiVersion,
    kind: 'AdmissionReview',
    response: {
      uid: review.request.uid,
      ...(answers[review.request.object?.spec?.image] ?? {
        allowed: review.request.operation !== 'DELETE',
        status: { message: 'kept' },
      }),
    },
  }));
  for (const kind of [VALIDATING, MUTATING]) {
    const end = await configure(kind, 'verdicts', [webhook('verdicts.conf.example.com', hook, rule(group))]);
    for (const label of Object.keys(answers))
      await t.step(`${kind}: ${label}`, 'POST', `${all}?dryRun=All`, {
        body: make('a', { spec: { image: label } }),
        pick: (b) => b.metadata.name,
      });
    await end();
  }
  await t.setup('POST', all, { body: make('a') });
  await configure(VALIDATING, 'verdicts', [webhook('verdicts.conf.example.com', hook, rule(group))]);
  await t.step('a denied update', 'PATCH', at('a'), {
    body: { spec: { image: 'denied with a message' } },
    type: MERGE,
  });
  await t.step('a denied apply', 'PATCH', `${at('a')}?fieldManager=alpha`, {
    body: make('a', { spec: { image: 'denied with a message' } }),
    type: APPLY,
  });
  await t.step('a denied delete', 'DELETE', at('a'));
  await t.step('a denied delete of a collection', 'DELETE', all);
  await t.step('it is still there, unchanged', 'GET', at('a'), {
    pick: (b) => [b.spec ?? null, b.metadata.generation],
  });
}

export async function warnings(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-warnings');
  const said = {
    one: ['first'],
    two: ['first', 'second'],
    twice: ['again', 'again'],
    empty: [''],
    long: ['w'.repeat(300)],
    lines: ['line\nbreak "quoted" \\'],
    none: [],
  };
  const hook = await t.webhook(
    admissionAnswer(({ object }) => ({
      allowed: object?.spec?.cronSpec !== 'no',
      message: 'no',
      warnings: said[object?.spec?.image],
    })),
  );
  await configure(VALIDATING, 'v', [webhook('v.conf.example.com', hook, rule(group))]);
  for (const image of Object.keys(said))
    await t.step(`warnings: ${image}`, 'POST', `${all}?dryRun=All`, {
      body: make('a', { spec: { image } }),
      pick: (b) => b.metadata.name,
    });
  await t.step('a denial with a warning', 'POST', all, {
    body: make('a', { spec: { image: 'one', cronSpec: 'no' } }),
  });
  await t.step('a warning beside one of the server', 'POST', `${all}?fieldValidation=Warn`, {
    body: make('a', { spec: { image: 'one', unknown: 1 } }),
    pick: (b) => b.spec,
  });
  await t.step('a warning on a patch', 'PATCH', at('a'), {
    body: { spec: { image: 'two' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await configure(MUTATING, 'm', [webhook('m.conf.example.com', hook, rule(group))]);
  await t.step('two webhooks with the same warning', 'POST', `${all}?dryRun=All`, {
    body: make('b', { spec: { image: 'one' } }),
    pick: (b) => b.metadata.name,
  });
}

/** auditAnnotations go to the audit log, which a client does not see. */
export async function auditAnnotations(t) {
  const { group, all, make, configure } = await scene(t, 'admission-audit');
  const hook = await t.webhook((review) => ({
    apiVersion: review.apiVersion,
    kind: 'AdmissionReview',
    response: {
      uid: review.request.uid,
      allowed: true,
      auditAnnotations: { note: 'seen', 'Bad Key': 'seen too' },
      extra: 1,
    },
  }));
  await configure(VALIDATING, 'v', [webhook('v.conf.example.com', hook, rule(group))]);
  await t.step('an object with audit annotations and an unknown field in the response', 'POST', all, {
    body: make('a', { spec: { image: 'i' } }),
  });
}
