// Jobs and cron jobs; no controller runs them.
import { container, MERGE, names, owned, podSpec, STRATEGIC, scene, status } from './helpers/kinds.mjs';

const jobs = (t, name) => scene(t, 'batch/v1', 'Job', 'jobs', `conf-kinds-${name}`);
const tpl = (rest = {}, metadata) => ({ metadata, spec: podSpec({ restartPolicy: 'Never', ...rest }) });
const short = ({ template, ...rest }) => ({
  ...rest,
  template: { metadata: template?.metadata, restartPolicy: template?.spec?.restartPolicy },
});
const jobShort = (b) => short(b.spec);

export async function jobDefaults(t) {
  const j = await jobs(t, 'job-defaults');
  await j.create('a minimal job', j.make('a', { spec: { template: tpl() } }), (b) => b);
  await j.create(
    'a full one',
    j.make(
      'full',
      {
        spec: {
          parallelism: 2,
          completions: 5,
          backoffLimit: 3,
          activeDeadlineSeconds: 100,
          ttlSecondsAfterFinished: 0,
          completionMode: 'Indexed',
          suspend: true,
          podReplacementPolicy: 'Failed',
          backoffLimitPerIndex: 1,
          maxFailedIndexes: 2,
          podFailurePolicy: {
            rules: [
              { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [42] } },
              { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
            ],
          },
          template: tpl({}, { labels: { x: 'y' } }),
        },
      },
      { labels: { l: '1' } },
    ),
  );
  await j.tries(
    [
      ['OnFailure', j.make('b', { spec: { template: tpl({ restartPolicy: 'OnFailure' }) } })],
      ['parallelism alone', j.make('b', { spec: { parallelism: 3, template: tpl() } })],
      ['completions alone', j.make('b', { spec: { completions: 3, template: tpl() } })],
      [
        'success policy',
        j.make('b', {
          spec: {
            completionMode: 'Indexed',
            completions: 3,
            successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
            template: tpl(),
          },
        }),
      ],
      [
        'manualSelector',
        j.make('b', {
          spec: {
            manualSelector: true,
            selector: { matchLabels: { app: 'a' } },
            template: tpl({}, { labels: { app: 'a' } }),
          },
        }),
      ],
      ['managedBy', j.make('b', { spec: { managedBy: 'example.com/mine', template: tpl() } })],
    ],
    jobShort,
  );
  const { metadata } = await j.made({
    ...j.make(undefined, { spec: { template: tpl() } }),
    metadata: { generateName: 'gen-' },
  });
  t.note('generateName', /^gen-[a-z0-9]{5}$/.test(metadata.name));
}

export async function jobFaults(t) {
  const j = await jobs(t, 'job-faults');
  const job = (rest) => j.make('f', { spec: { template: tpl(), ...rest } });
  const indexed = (rest) => job({ completionMode: 'Indexed', completions: 3, ...rest });
  const failure = (...rules) => job({ podFailurePolicy: { rules } });
  await j.tries(
    [
      ['no spec', j.make('f')],
      ['no template', job({ template: undefined })],
      ['no containers', job({ template: { spec: { restartPolicy: 'Never' } } })],
      ['no restartPolicy', job({ template: { spec: podSpec() } })],
      ['restartPolicy Always', job({ template: tpl({ restartPolicy: 'Always' }) })],
      ['negative parallelism', job({ parallelism: -1 })],
      ['negative completions', job({ completions: -1 })],
      ['a negative backoff', job({ backoffLimit: -1 })],
      ['a negative deadline', job({ activeDeadlineSeconds: -1 })],
      ['a negative ttl', job({ ttlSecondsAfterFinished: -1 })],
      ['an unknown completion mode', job({ completionMode: 'Some' })],
      ['Indexed without completions', job({ completionMode: 'Indexed' })],
      ['Indexed with too much parallelism', indexed({ parallelism: 1000000 })],
      ['a selector without manualSelector', job({ selector: { matchLabels: { a: 'b' } } })],
      ['manualSelector without a selector', job({ manualSelector: true })],
      [
        'manualSelector with labels that do not match',
        job({
          manualSelector: true,
          selector: { matchLabels: { a: 'b' } },
          template: tpl({}, { labels: { a: 'c' } }),
        }),
      ],
      ['a reserved label in the template', job({ template: tpl({}, { labels: { 'job-name': 'other' } }) })],
      ['backoffLimitPerIndex without indexes', job({ backoffLimitPerIndex: 1 })],
      ['maxFailedIndexes without its limit', indexed({ maxFailedIndexes: 1 })],
      ['maxFailedIndexes above completions', indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 9 })],
      [
        'a failure policy with OnFailure',
        j.make('f', {
          spec: {
            template: tpl({ restartPolicy: 'OnFailure' }),
            podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X' }] }] },
          },
        }),
      ],
      ['an unknown action', failure({ action: 'Cry', onExitCodes: { operator: 'In', values: [1] } })],
      ['a rule with no requirement', failure({ action: 'FailJob' })],
      [
        'a rule with both',
        failure({
          action: 'FailJob',
          onExitCodes: { operator: 'In', values: [1] },
          onPodConditions: [{ type: 'X' }],
        }),
      ],
      ['In with 0', failure({ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } })],
      [
        'values out of order',
        failure({ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1] } }),
      ],
      [
        'an unknown container',
        failure({ action: 'FailJob', onExitCodes: { containerName: 'z', operator: 'In', values: [1] } }),
      ],
      [
        'FailIndex without indexes',
        failure({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }),
      ],
      ['a success policy without indexes', job({ successPolicy: { rules: [{ succeededCount: 1 }] } })],
      [
        'a success policy of indexes that do not exist',
        indexed({ successPolicy: { rules: [{ succeededIndexes: '5' }] } }),
      ],
      ['an empty success policy', indexed({ successPolicy: { rules: [] } })],
      ['an unknown replacement policy', job({ podReplacementPolicy: 'Never' })],
      ['a bad managedBy', job({ managedBy: 'not valid' })],
      ['a name of 64 characters', j.make('n'.repeat(64), { spec: { template: tpl() } })],
      ['a dotted name', j.make('a.b', { spec: { template: tpl() } })],
      ['unknown fields', job({ retries: 1 })],
    ],
    jobShort,
  );
  await j.tries(
    [['strict: unknown fields', job({ retries: 1, template: { ...tpl(), specs: {} } })]],
    jobShort,
    '&fieldValidation=Strict',
  );
}

export async function jobUpdates(t) {
  const j = await jobs(t, 'job-updates');
  await j.made(j.make('u', { spec: { template: tpl(), backoffLimit: 2 } }));
  await j.made(j.make('s', { spec: { template: tpl({ nodeSelector: { a: 'b' } }), suspend: true } }));
  await j.made(
    j.make('i', { spec: { template: tpl(), completionMode: 'Indexed', completions: 2, parallelism: 2 } }),
  );
  await j.changes(
    'u',
    [
      ['parallelism may change', { spec: { parallelism: 3 } }],
      ['and the deadline', { spec: { activeDeadlineSeconds: 5 } }],
      ['and the backoff', { spec: { backoffLimit: 9 } }],
      ['and the ttl', { spec: { ttlSecondsAfterFinished: 5 } }],
      ['and suspend', { spec: { suspend: true } }],
      ['completions may not', { spec: { completions: 5 } }],
      ['the selector may not', { spec: { selector: { matchLabels: { a: 'b' } } } }],
      [
        'the template may not',
        { spec: { template: { spec: { containers: [container('c', { image: 'other' })] } } } },
      ],
      [
        'nor by strategic merge',
        { spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'A', value: 'b' }] }] } } } },
        STRATEGIC,
      ],
      ['nor its labels', { spec: { template: { metadata: { labels: { a: 'b' } } } } }],
      ['nor the completion mode', { spec: { completionMode: 'Indexed', completions: 1 } }],
      [
        'nor the failure policy',
        {
          spec: {
            podFailurePolicy: {
              rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X', status: 'True' }] }],
            },
          },
        },
      ],
      ['nor managedBy', { spec: { managedBy: 'example.com/x' } }],
      ['manualSelector may', { spec: { manualSelector: true } }],
      ['backoffLimitPerIndex may not', { spec: { backoffLimitPerIndex: 1 } }],
    ],
    { pick: (b) => [b.metadata.generation, jobShort(b)] },
  );
  await j.changes(
    's',
    [
      [
        'a suspended job that never ran may change its node selector',
        { spec: { template: { spec: { nodeSelector: { c: 'd' } } } } },
      ],
      [
        'and its tolerations',
        { spec: { template: { spec: { tolerations: [{ key: 'k', operator: 'Exists' }] } } } },
      ],
      ['and template labels', { spec: { template: { metadata: { labels: { new: 'x' } } } } }],
      [
        'but not its image',
        { spec: { template: { spec: { containers: [container('c', { image: 'other' })] } } } },
      ],
      [
        'resources while suspended',
        {
          spec: {
            template: { spec: { containers: [container('c', { resources: { requests: { cpu: '1' } } })] } },
          },
        },
      ],
      ['and be resumed', { spec: { suspend: false } }],
    ],
    {
      pick: (b) => [
        b.metadata.generation,
        b.spec.template.spec.nodeSelector,
        b.spec.template.spec.tolerations,
        b.spec.suspend,
      ],
    },
  );
  await j.changes(
    'i',
    [
      [
        'an indexed job may change completions with parallelism',
        { spec: { completions: 4, parallelism: 4 } },
      ],
      ['but not alone', { spec: { completions: 4 } }],
    ],
    { pick: jobShort },
  );
  await j.put(
    'labels leave the generation',
    'u',
    (o) => {
      o.metadata.labels = { a: 'b' };
    },
    { pick: (b) => [b.metadata.generation, b.metadata.labels] },
  );
  await j.patch(
    'parallelism raises it',
    'u',
    { spec: { parallelism: 0 } },
    { type: MERGE, pick: (b) => b.metadata.generation },
  );
  await j.apply('apply', 'x', 'alpha', j.make('x', { spec: { template: tpl() } }), { pick: owned });
  await j.apply('the same again', 'x', 'alpha', j.make('x', { spec: { template: tpl() } }), {
    pick: (b) => b.metadata.generation,
  });
  await j.apply(
    'another image',
    'x',
    'alpha',
    j.make('x', { spec: { template: tpl({ containers: [container('c', { image: 'other' })] }) } }),
  );
}

export async function jobStatusAndDeletion(t) {
  const j = await jobs(t, 'job-status');
  const time = '2026-01-02T03:04:05Z';
  for (const n of ['a', 'b', 'c'])
    await j.made(j.make(n, { spec: { template: tpl(), completions: 2 } }, { labels: { n } }));
  await j.get('status', 'a', status, 'status');
  await j.put(
    'active',
    'a',
    (o) => {
      o.status = { active: 1, startTime: time, ready: 1, terminating: 0, uncountedTerminatedPods: {} };
      o.spec.parallelism = 8;
    },
    { sub: 'status' },
  );
  const patch = (label, st, n = 'a') =>
    j.patch(label, n, { status: st }, { sub: 'status', type: MERGE, pick: status });
  await patch('complete without what must go before it', {
    conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: time }],
    completionTime: time,
    active: 0,
  });
  await patch('SuccessCriteriaMet first', {
    conditions: [{ type: 'SuccessCriteriaMet', status: 'True', lastTransitionTime: time }],
  });
  await patch('complete while a pod is active', {
    conditions: [
      { type: 'SuccessCriteriaMet', status: 'True' },
      { type: 'Complete', status: 'True' },
    ],
    completionTime: time,
  });
  await patch('complete', {
    active: null,
    ready: 0,
    succeeded: 2,
    completionTime: time,
    conditions: [
      { type: 'SuccessCriteriaMet', status: 'True', lastTransitionTime: time },
      { type: 'Complete', status: 'True', lastTransitionTime: time },
    ],
  });
  await patch('a completion time may not go', { completionTime: null });
  await patch('nor may Complete', { conditions: [{ type: 'Complete', status: 'False' }] });
  await patch('a negative count', { failed: -1 });
  await patch(
    'failed and complete',
    {
      startTime: time,
      conditions: [
        { type: 'FailureTarget', status: 'True' },
        { type: 'Failed', status: 'True' },
        { type: 'Complete', status: 'True' },
      ],
    },
    'b',
  );
  await patch(
    'failed',
    {
      startTime: time,
      failed: 1,
      conditions: [
        { type: 'FailureTarget', status: 'True', reason: 'X' },
        { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'm' },
      ],
    },
    'b',
  );
  await j.patch(
    'a condition by strategic merge',
    'c',
    { status: { conditions: [{ type: 'Suspended', status: 'True' }] } },
    { sub: 'status', pick: status },
  );
  await j.list('by status.successful', '?fieldSelector=status.successful%3D2');
  await j.list('by another field', '?fieldSelector=status.failed%3D1');
  await j.table('as a table');
  await j.remove('delete keeps the pods, with a warning', 'a', '', (b) => [
    b.kind,
    b.metadata?.finalizers,
    Boolean(b.metadata?.deletionTimestamp),
  ]);
  await j.remove('in the background', 'b', '?propagationPolicy=Background');
  await j.remove('orphan, without a warning', 'c', '?propagationPolicy=Orphan', (b) => [
    b.kind,
    b.metadata?.finalizers,
  ]);
  await t.step('deletecollection', 'DELETE', `${j.all}?propagationPolicy=Background`, {
    pick: (b) => [b.kind, names(b)],
  });
}

export async function cronJobs(t) {
  const c = await scene(t, 'batch/v1', 'CronJob', 'cronjobs', 'conf-kinds-cron');
  const jobTemplate = { spec: { template: tpl() } };
  const cron = (rest) => c.make('f', { spec: { schedule: '*/5 * * * *', jobTemplate, ...rest } });
  const shown = (b) => ({
    ...b.spec,
    jobTemplate: { metadata: b.spec.jobTemplate?.metadata, spec: short(b.spec.jobTemplate?.spec ?? {}) },
  });
  await c.create('a minimal cron job', c.make('a', { spec: { schedule: '@hourly', jobTemplate } }), (b) => b);
  await c.create(
    'a full one',
    c.make('full', {
      spec: {
        schedule: '0 3 * * 1-5',
        timeZone: 'Europe/Zurich',
        startingDeadlineSeconds: 60,
        concurrencyPolicy: 'Forbid',
        suspend: true,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 0,
        jobTemplate: {
          metadata: { labels: { x: 'y' }, annotations: { a: 'b' } },
          spec: { backoffLimit: 0, ttlSecondsAfterFinished: 9, template: tpl({}, { labels: { app: 'a' } }) },
        },
      },
    }),
  );
  await c.tries(
    [
      ['no schedule', cron({ schedule: undefined })],
      ['an empty schedule', cron({ schedule: '' })],
      ['a schedule of four fields', cron({ schedule: '* * * *' })],
      ['a schedule out of range', cron({ schedule: '61 * * * *' })],
      ['a schedule of words', cron({ schedule: 'every day' })],
      ['@every', cron({ schedule: '@every 5m' })],
      ['@daily', cron({ schedule: '@daily' })],
      ['a time zone in the schedule', cron({ schedule: 'TZ=UTC 0 * * * *' })],
      ['an unknown time zone', cron({ timeZone: 'Mars/Phobos' })],
      ['an empty time zone', cron({ timeZone: '' })],
      ['time zone Local', cron({ timeZone: 'Local' })],
      ['an unknown concurrency policy', cron({ concurrencyPolicy: 'Maybe' })],
      ['a negative deadline', cron({ startingDeadlineSeconds: -1 })],
      ['negative history', cron({ failedJobsHistoryLimit: -1 })],
      ['no job template', cron({ jobTemplate: undefined })],
      ['no restartPolicy', cron({ jobTemplate: { spec: { template: { spec: podSpec() } } } })],
      [
        'a selector in the job template',
        cron({ jobTemplate: { spec: { template: tpl(), selector: { matchLabels: { a: 'b' } } } } }),
      ],
      [
        'manualSelector in the job template',
        cron({ jobTemplate: { spec: { template: tpl(), manualSelector: true } } }),
      ],
      ['a name of 53 characters', c.make('n'.repeat(53), { spec: { schedule: '@daily', jobTemplate } })],
      ['an unknown field', cron({ jobTemplates: {} })],
    ],
    shown,
  );
  await c.put(
    'everything may change',
    'a',
    (o) => {
      o.spec.schedule = '1 1 1 1 *';
      o.spec.jobTemplate.spec.template.spec.containers[0].image = 'two';
    },
    { pick: (b) => [b.metadata.generation, b.spec.schedule] },
  );
  await c.patch(
    'strategic: a container by name',
    'a',
    { spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'n', image: 'n' }] } } } } } },
    { pick: (b) => b.spec.jobTemplate.spec.template.spec.containers.map((x) => [x.name, x.image]) },
  );
  await c.patch(
    'suspend',
    'a',
    { spec: { suspend: true } },
    { type: MERGE, pick: (b) => [b.metadata.generation, b.spec.suspend] },
  );
  await c.patch('a bad schedule', 'a', { spec: { schedule: 'x' } }, { type: MERGE });
  await c.put(
    'status',
    'a',
    (o) => {
      o.status = {
        active: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a-1', namespace: c.ns, uid: 'u' }],
        lastScheduleTime: '2026-01-02T03:04:05Z',
        lastSuccessfulTime: '2026-01-02T03:05:05Z',
      };
      o.spec.suspend = false;
    },
    { sub: 'status', pick: (b) => [b.status, b.spec.suspend, b.metadata.generation] },
  );
  await c.table('as a table');
  await c.apply('apply', 'x', 'alpha', c.make('x', { spec: { schedule: '@daily', jobTemplate } }), {
    pick: owned,
  });
  await c.apply('a conflict', 'x', 'beta', c.make('x', { spec: { schedule: '@hourly' } }));
  await c.remove('delete', 'a');
  await t.step('v1beta1 is gone', 'GET', '/apis/batch/v1beta1/cronjobs');
}
