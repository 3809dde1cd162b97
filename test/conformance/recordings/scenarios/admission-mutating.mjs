// Patches from mutating webhooks: their effect, their order, being asked again, and faults in them.
import { admissionAnswer } from '../lib/webhook.mjs';
import {
  APPLY,
  brief,
  MERGE,
  MUTATING,
  rule,
  scene,
  take,
  VALIDATING,
  webhook,
} from './helpers/admission.mjs';
import { owned } from './helpers/apply.mjs';

const path = (c) => c.url.split('?')[0];
const append =
  (word) =>
  ({ object: { spec } }) => ({
    allowed: true,
    patch: spec && [{ op: 'replace', path: '/spec/image', value: `${spec.image}${word}` }],
  });

export async function mutations(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-mutations');
  // The patch to answer with is chosen by spec.cronSpec.
  const patches = {
    'add a field': [{ op: 'add', path: '/spec/image', value: 'added' }],
    'replace a field': [{ op: 'replace', path: '/spec/image', value: 'replaced' }],
    'remove a field': [{ op: 'remove', path: '/spec/image' }],
    'copy, move and test': [
      { op: 'test', path: '/spec/image', value: 'i' },
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'copy', from: '/spec/image', path: '/metadata/annotations/copied' },
      { op: 'move', from: '/spec/image', path: '/metadata/annotations/a~1b' },
    ],
    'add labels': [{ op: 'add', path: '/metadata/labels', value: { by: 'webhook' } }],
    'add an unknown field': [{ op: 'add', path: '/spec/unknown', value: 1 }],
    'replace the whole spec': [{ op: 'replace', path: '/spec', value: { image: 'whole', replicas: 9 } }],
    'add a status': [{ op: 'add', path: '/status', value: { phase: 'patched' } }],
    'add a finalizer': [{ op: 'add', path: '/metadata/finalizers', value: ['f.example.com/x'] }],
    'no operations': [],
  };
  const hook = await t.webhook(
    admissionAnswer(({ object }) => ({ allowed: true, patch: patches[object?.spec?.cronSpec] })),
  );
  await configure(MUTATING, 'm', [
    webhook(
      'm.conf.example.com',
      hook,
      rule(group, { resources: ['crontabs', 'crontabs/status', 'crontabs/scale'] }),
    ),
  ]);
  for (const label of Object.keys(patches))
    await t.step(label, 'POST', `${all}?dryRun=All&fieldManager=creator`, {
      body: make('a', { spec: { cronSpec: label, image: 'i' } }),
      pick: owned,
    });

  await t.step('create', 'POST', `${all}?fieldManager=creator`, {
    body: make('a', { spec: { image: 'i' } }),
    pick: owned,
  });
  await t.step('a mutation of a merge patch', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { spec: { cronSpec: 'replace the whole spec' } },
    type: MERGE,
    pick: owned,
  });
  await t.step(
    "a mutation of an apply: what the webhook added is nobody's",
    'PATCH',
    `${at('b')}?fieldManager=alpha`,
    { body: make('b', { spec: { cronSpec: 'add labels', replicas: 1 } }), type: APPLY, pick: owned },
  );
  await t.step('the same apply again is no change', 'PATCH', `${at('b')}?fieldManager=alpha`, {
    body: make('b', { spec: { cronSpec: 'add labels', replicas: 1 } }),
    type: APPLY,
    pick: owned,
  });
  await t.step(
    "an applied field changed by the webhook stays the applier's",
    'PATCH',
    `${at('b')}?fieldManager=alpha`,
    {
      body: make('b', { spec: { cronSpec: 'replace the whole spec', replicas: 1 } }),
      type: APPLY,
      pick: owned,
    },
  );
  await t.setup('POST', all, { body: make('s', { spec: { image: 'i' } }) });
  await t.setup('PATCH', at('s'), { body: { spec: { cronSpec: 'no operations' } }, type: MERGE });
  patches['no operations'] = patches['replace the whole spec'];
  await t.step(
    'a patch of spec in a status request has no effect',
    'PATCH',
    `${at('s')}/status?fieldManager=controller`,
    { body: { status: { phase: 'p' } }, type: MERGE, pick: owned },
  );
  patches['no operations'] = patches['add a status'];
  await t.step('a patch of status in one has', 'PATCH', `${at('s')}/status?fieldManager=controller`, {
    body: { status: { replicas: 1 } },
    type: MERGE,
    pick: owned,
  });
}

export async function scaleMutation(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-mutscale');
  const hook = await t.webhook(
    admissionAnswer(({ subResource }) => ({
      allowed: true,
      patch: subResource === 'scale' ? [{ op: 'replace', path: '/spec/replicas', value: 7 }] : undefined,
    })),
  );
  await configure(MUTATING, 'm', [
    webhook('m.conf.example.com', hook, rule(group, { resources: ['crontabs', 'crontabs/scale'] })),
  ]);
  await t.setup('POST', all, { body: make('a', { spec: { replicas: 1 } }) });
  await t.step('a number changed on its way to scale', 'PATCH', `${at('a')}/scale`, {
    body: { spec: { replicas: 2 } },
    type: MERGE,
    pick: (b) => b.spec,
  });
  await t.step('the object', 'GET', at('a'), { pick: (b) => b.spec });
}

export async function order(t) {
  const { group, all, make, configure } = await scene(t, 'admission-order');
  const hook = await t.webhook((review, { url }) =>
    admissionAnswer(append(url.split('?')[0].slice(1)))(review),
  );
  const word = (w) =>
    webhook(`${w}.conf.example.com`, hook, rule(group, { operations: ['CREATE'] }), { path: `/${w}` });
  // Made in another order than their names have.
  await configure(MUTATING, 'b', [word('b2'), word('b1')]);
  await configure(MUTATING, 'c', [word('c1')]);
  await configure(MUTATING, 'a', [word('a1'), word('a2')]);
  const seen = await t.webhook(admissionAnswer(() => ({ allowed: true })));
  await configure(VALIDATING, 'a', [
    webhook('seen.conf.example.com', seen, rule(group, { operations: ['CREATE'] })),
  ]);
  take(hook);
  take(seen);
  await t.step('configurations go by name, webhooks by position', 'POST', all, {
    body: make('x', { spec: { image: '-' } }),
    pick: (b) => b.spec,
  });
  t.note(
    'each sees the work of those before',
    take(hook).map((c) => [path(c), c.review.request.object.spec.image]),
  );
  t.note(
    'validating webhooks see the result',
    take(seen).map((c) => brief(c.review).object),
  );
}

export async function reinvocation(t) {
  const { group, all, make, configure } = await scene(t, 'admission-reinvoke');
  const hook = await t.webhook((review, { url }) =>
    admissionAnswer(({ object }) => {
      const who = url.split('?')[0].slice(1);
      const labels = object.metadata.labels ?? {};
      if (who === 'watcher' || who === 'once') return { allowed: true };
      // The two others answer each other: "later" labels first, "early" reacts to it when it is asked again.
      if (who === 'later' && !labels.later)
        return {
          allowed: true,
          patch: [{ op: 'add', path: '/metadata/labels', value: { ...labels, later: 'yes' } }],
        };
      if (who === 'early' && labels.later && !labels.early)
        return {
          allowed: true,
          patch: [{ op: 'add', path: '/metadata/labels', value: { ...labels, early: 'yes' } }],
        };
      return { allowed: true };
    })(review),
  );
  const named = (w, rest) =>
    webhook(`${w}.conf.example.com`, hook, rule(group, { operations: ['CREATE'] }), {
      path: `/${w}`,
      ...rest,
    });
  const create = async (label, body) => {
    take(hook);
    await t.step(label, 'POST', `${all}?dryRun=All`, { body, pick: (b) => b.metadata.labels ?? null });
    t.note(`${label}: who was asked`, take(hook).map(path));
  };
  let end = await configure(MUTATING, 'never', [named('once'), named('early'), named('later')]);
  await create('nobody is asked again by default', make('a'));
  await end();
  end = await configure(MUTATING, 'some', [
    named('once'),
    named('watcher', { reinvocationPolicy: 'IfNeeded' }),
    named('early', { reinvocationPolicy: 'IfNeeded' }),
    named('later', { reinvocationPolicy: 'IfNeeded' }),
  ]);
  await create('those that wish are asked once more after a change', make('a'));
  await create('nothing changed by the last ones', make('a', {}, { labels: { later: 'yes' } }));
  await create('nothing changed at all', make('a', {}, { labels: { later: 'yes', early: 'yes' } }));
  await end();
  await configure(MUTATING, 'a', [named('watcher', { reinvocationPolicy: 'IfNeeded' })]);
  await configure(MUTATING, 'b', [named('later')]);
  await create('over two configurations', make('a'));
}

export async function badPatches(t) {
  const { group, all, make, configure } = await scene(t, 'admission-badpatch');
  const base64 = (text) => Buffer.from(text).toString('base64');
  const ops = (...patch) => ({ patchType: 'JSONPatch', patch: base64(JSON.stringify(patch)) });
  const answers = {
    'a patch of a type that does not fit': ops({ op: 'add', path: '/spec/cronSpec', value: 3 }),
    'a patch that breaks a label': ops({ op: 'add', path: '/metadata/labels', value: { a: 'not a value' } }),
    'a patch of the name': ops({ op: 'replace', path: '/metadata/name', value: 'other' }),
    'a patch of the namespace': ops({ op: 'replace', path: '/metadata/namespace', value: 'other' }),
    'a patch of the kind': ops({ op: 'replace', path: '/kind', value: 'Other' }),
    'a patch of the apiVersion': ops({ op: 'replace', path: '/apiVersion', value: `${group}/v2` }),
    'a path that is not there': ops({ op: 'replace', path: '/spec/nothing/deep', value: 1 }),
    'a remove of what is not there': ops({ op: 'remove', path: '/spec/nothing' }),
    'a test that fails': ops({ op: 'test', path: '/spec/image', value: 'else' }),
    'an unknown operation': ops({ op: 'shout', path: '/spec' }),
    'a patch that is an object': { patchType: 'JSONPatch', patch: base64('{"spec":{}}') },
    'a patch that is no JSON': { patchType: 'JSONPatch', patch: base64('nonsense') },
    'a patch that is not base64': { patchType: 'JSONPatch', patch: '***' },
    'a patch without a type': { patch: base64('[]') },
    'a type without a patch': { patchType: 'JSONPatch' },
    'an empty type': { patchType: '', patch: base64('[]') },
    'a merge patch': { patchType: 'MergePatch', patch: base64('[{"op":"remove","path":"/spec"}]') },
    'an empty patch': ops(),
    'a patch with a denial': { ...ops({ op: 'remove', path: '/spec' }), allowed: false },
  };
  const hook = await t.webhook((review) => ({
    apiVersion: review.apiVersion,
    kind: 'AdmissionReview',
    response: { uid: review.request.uid, allowed: true, ...answers[review.request.object?.spec?.image] },
  }));
  const tryAll = async (kind, failurePolicy, labels) => {
    const end = await configure(kind, failurePolicy.toLowerCase(), [
      webhook('m.conf.example.com', hook, rule(group, { operations: ['CREATE'] }), { failurePolicy }),
    ]);
    for (const label of labels)
      await t.step(`${kind} ${failurePolicy}: ${label}`, 'POST', `${all}?dryRun=All`, {
        body: make('a', { spec: { image: label } }),
        pick: (b) => ({ name: b.metadata.name, spec: b.spec }),
      });
    await end();
  };
  await tryAll(MUTATING, 'Fail', Object.keys(answers));
  await tryAll(
    MUTATING,
    'Ignore',
    Object.keys(answers).filter((l) =>
      /type that does not fit|is not there|no JSON|without|merge|denial/.test(l),
    ),
  );
  await tryAll(VALIDATING, 'Fail', ['a patch that breaks a label', 'a type without a patch']);
}

export async function patchOnDelete(t) {
  const { group, all, at, make, configure } = await scene(t, 'admission-patchdelete');
  const hook = await t.webhook(
    admissionAnswer(() => ({ allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: {} }] })),
  );
  await t.setup('POST', all, { body: make('a') });
  await configure(MUTATING, 'm', [
    webhook('m.conf.example.com', hook, rule(group, { operations: ['DELETE'] })),
  ]);
  await t.step('a patch in answer to a delete', 'DELETE', at('a'));
  await t.step('the object stays', 'GET', at('a'), { pick: (b) => b.metadata.name });
}
