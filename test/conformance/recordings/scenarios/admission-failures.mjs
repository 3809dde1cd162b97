// Webhooks that cannot be asked or answer wrongly, by failurePolicy; and webhooks in dry runs.
import { admissionAnswer } from '../lib/webhook.mjs';
import { MERGE, MUTATING, rule, scene, take, VALIDATING, webhook } from './helpers/admission.mjs';

const created = (b) => b.metadata.name;

export async function failurePolicy(t) {
  const { group, all, make, configure } = await scene(t, 'admission-failures');
  const review =
    (response, rest = {}) =>
    ({ uid }) => ({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: response && { uid, ...response },
      ...rest,
    });
  const answers = {
    'HTTP 500': () => ({ status: 500, body: 'broken' }),
    'HTTP 404': () => ({ status: 404, body: 'nothing here' }),
    'HTTP 201 with a good review': ({ uid }) => ({ status: 201, body: review({ allowed: true })({ uid }) }),
    'HTTP 403 with a Status': () => ({
      status: 403,
      body: {
        apiVersion: 'v1',
        kind: 'Status',
        status: 'Failure',
        message: 'not you',
        reason: 'Forbidden',
        code: 403,
      },
    }),
    'HTTP 302': () => ({ status: 302, body: '' }),
    'text that is no JSON': () => ({ status: 200, body: 'hello' }),
    'an empty body': () => ({ status: 200, body: '' }),
    'an empty object': () => ({}),
    'no response': review(undefined),
    'another uid': review({ uid: '11111111-2222-4333-8444-555555555555', allowed: true }),
    'no uid': review({ uid: undefined, allowed: true }),
    'no kind': review({ allowed: true }, { kind: undefined }),
    'another kind': review({ allowed: true }, { kind: 'ConversionReview' }),
    'an older version': review({ allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
    'allowed as text': review({ allowed: 'true' }),
    'no allowed': review({}),
    'a good review': review({ allowed: true }),
  };
  const hook = await t.webhook(({ request }) =>
    (answers[request.object?.spec?.image] ?? answers['a good review'])(request),
  );
  for (const [kind, policy] of [
    [VALIDATING, 'Fail'],
    [VALIDATING, 'Ignore'],
    [MUTATING, 'Fail'],
    [MUTATING, 'Ignore'],
  ]) {
    const end = await configure(kind, policy.toLowerCase(), [
      webhook('w.conf.example.com', hook, rule(group), { failurePolicy: policy }),
    ]);
    for (const label of Object.keys(answers)) {
      if (kind === MUTATING && /HTTP 4|302|kind|older/.test(label)) continue;
      await t.step(`${kind} ${policy}: ${label}`, 'POST', `${all}?dryRun=All`, {
        body: make('a', { spec: { image: label } }),
        pick: created,
      });
    }
    await end();
  }
}

export async function unreachable(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-unreachable');
  const good = await t.webhook(admissionAnswer(() => ({ allowed: true })));
  const gone = await t.webhook(() => ({}));
  await gone.close();
  const only = rule(group, { operations: ['CREATE', 'UPDATE', 'DELETE'] });
  const cases = [
    ['a closed port', gone, {}],
    ['no CA', { ...good, caBundle: undefined }, {}],
    ['a CA that is no certificate', { ...good, caBundle: Buffer.from('none').toString('base64') }, {}],
    [
      'a service that does not exist',
      good,
      {
        clientConfig: {
          service: { namespace: 'conf-admission-unreachable', name: 'nothing', path: '/p' },
          caBundle: good.caBundle,
        },
      },
    ],
  ];
  for (const [label, hook, rest] of cases) {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      const end = await configure(VALIDATING, failurePolicy.toLowerCase(), [
        webhook('w.conf.example.com', hook, only, { failurePolicy, ...rest }),
      ]);
      await t.step(`${label}, ${failurePolicy}`, 'POST', `${all}?dryRun=All`, {
        body: make('a'),
        pick: created,
      });
      await end();
    }
  }
  await t.setup('POST', all, { body: make('a') });
  await configure(MUTATING, 'fail', [webhook('w.conf.example.com', gone, only)]);
  await t.step('an update fails too', 'PATCH', at('a'), { body: { spec: { image: 'i' } }, type: MERGE });
  await t.step('and a delete', 'DELETE', at('a'));
  await t.step('a read does not', 'GET', at('a'), { pick: created });
}

export async function timeouts(t) {
  const { group, all, make, configure } = await scene(t, 'admission-timeouts');
  const slow = await t.webhook(async (review) => {
    if (review.request.object?.spec?.image === 'slow') await new Promise((r) => setTimeout(r, 2500));
    return admissionAnswer(() => ({ allowed: true }))(review);
  });
  for (const kind of [VALIDATING, MUTATING]) {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      const end = await configure(kind, failurePolicy.toLowerCase(), [
        webhook('slow.conf.example.com', slow, rule(group), { failurePolicy, timeoutSeconds: 1 }),
      ]);
      take(slow);
      const begun = Date.now();
      const { status, body } = await t.client.request('POST', `${all}?dryRun=All`, {
        body: make('a', { spec: { image: 'slow' } }),
      });
      t.note(`${kind} ${failurePolicy}: no answer within the timeout`, {
        status,
        reason: body.reason ?? null,
        timely: Date.now() - begun < 2400,
        deadline: /deadline exceeded|timeout/i.test(body.message ?? ''),
      });
      t.note(
        `${kind} ${failurePolicy}: the timeout is told`,
        take(slow).map((c) => c.url),
      );
      await end();
    }
  }
}

/** The outcome of several webhooks: all that match must allow. */
export async function together(t) {
  const { group, all, make, configure } = await scene(t, 'admission-together');
  const hook = await t.webhook((review, { url }) =>
    admissionAnswer(({ object }) => {
      const denied = object.spec?.image === url.split('?')[0].slice(1);
      return { allowed: !denied, message: 'by choice' };
    })(review),
  );
  const gone = await t.webhook(() => ({}));
  await gone.close();
  const named = (w) => webhook(`${w}.conf.example.com`, hook, rule(group), { path: `/${w}` });
  await configure(VALIDATING, 'a', [named('v1'), named('v2')]);
  await configure(MUTATING, 'a', [named('m1'), named('m2')]);
  for (const image of ['none', 'v1', 'v2', 'm1', 'm2']) {
    take(hook);
    await t.step(`denied by ${image}`, 'POST', `${all}?dryRun=All`, {
      body: make('a', { spec: { image } }),
      pick: created,
    });
    t.note(
      `denied by ${image}: who was asked`,
      take(hook)
        .map((c) => c.url.split('?')[0])
        .sort(),
    );
  }
  await configure(VALIDATING, 'b', [
    webhook('gone.conf.example.com', gone, rule(group), { failurePolicy: 'Ignore' }),
  ]);
  await t.step('a webhook that is ignored does not hide a denial', 'POST', `${all}?dryRun=All`, {
    body: make('a', { spec: { image: 'v1' } }),
  });
  await t.step('nor does it deny', 'POST', `${all}?dryRun=All`, {
    body: make('a', { spec: { image: 'none' } }),
    pick: created,
  });
}

export async function dryRun(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-dryrun');
  const hook = await t.webhook(
    admissionAnswer(({ dryRun, object }) => ({
      allowed: object?.spec?.image !== 'no',
      message: `dryRun ${dryRun}`,
      patch: object?.spec && [{ op: 'add', path: '/spec/cronSpec', value: `dryRun ${dryRun}` }],
    })),
  );
  const quiet = await t.webhook(admissionAnswer(() => ({ allowed: true })));
  await configure(MUTATING, 'm', [
    webhook('m.conf.example.com', hook, rule(group), { sideEffects: 'NoneOnDryRun' }),
  ]);
  await configure(VALIDATING, 'v', [
    webhook('v.conf.example.com', quiet, rule(group), { sideEffects: 'None' }),
  ]);
  await t.step('a dry run is mutated', 'POST', `${all}?dryRun=All`, {
    body: make('a', { spec: { image: 'i' } }),
    pick: (b) => b.spec,
  });
  await t.step('a dry run is denied', 'POST', `${all}?dryRun=All`, {
    body: make('a', { spec: { image: 'no' } }),
  });
  await t.step('nothing was stored', 'GET', at('a'));
  await t.step('a real create is mutated', 'POST', all, {
    body: make('a', { spec: { image: 'i' } }),
    pick: (b) => b.spec,
  });
  take(hook);
  take(quiet);
  await t.step('a dry-run update', 'PATCH', `${at('a')}?dryRun=All`, {
    body: { spec: { image: 'j' } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('a dry-run delete', 'DELETE', `${at('a')}?dryRun=All`, { pick: (b) => b.status });
  t.note(
    'what both were told',
    [hook, quiet].map((h) => [
      ...new Set(
        take(h).map(
          (c) =>
            `${c.review.request.operation} ${c.review.request.dryRun} ${JSON.stringify(c.review.request.options.dryRun)}`,
        ),
      ),
    ]),
  );
  await t.step('the object is as it was', 'GET', at('a'), { pick: (b) => b.spec });
}
