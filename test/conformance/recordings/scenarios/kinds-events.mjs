// Events in both groups and leases, beyond what verbs-core has.
import { event, lean, MERGE, names, owned, scene } from './helpers/kinds.mjs';

const when = '2026-01-02T03:04:05Z';
const micro = '2026-01-02T03:04:05.000006Z';

export async function coreEvents(t) {
  const e = await scene(t, 'v1', 'Event', 'events', 'conf-kinds-events');
  const about = (name, kind = 'Pod', rest = {}) => ({
    apiVersion: 'v1',
    kind,
    name,
    namespace: e.ns,
    uid: `uid-${name}`,
    ...rest,
  });
  const ev = (name, rest = {}) =>
    e.make(name, {
      involvedObject: about('p'),
      reason: 'Started',
      message: 'it started',
      type: 'Normal',
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: when,
      lastTimestamp: when,
      count: 1,
      ...rest,
    });
  await e.create('an event as recorders write it', ev('a'), (b) => b);
  await e.create('the least', e.make('least', { involvedObject: { namespace: e.ns } }));
  await e.create(
    'a new-style one',
    ev('new', {
      eventTime: micro,
      reportingComponent: 'example.com/c',
      reportingInstance: 'i',
      action: 'Do',
      related: about('q'),
      series: { count: 2, lastObservedTime: micro },
    }),
  );
  await e.tries(
    [
      ['no involved object', e.make('f', {})],
      ['another namespace', ev('f', { involvedObject: about('p', 'Pod', { namespace: 'other' }) })],
      ['an object without a namespace', ev('f', { involvedObject: { kind: 'Node', name: 'n' } })],
      [
        'new style without an action',
        ev('f', { eventTime: micro, reportingComponent: 'example.com/c', reportingInstance: 'i' }),
      ],
      [
        'new style without a reason',
        ev('f', {
          eventTime: micro,
          reason: '',
          reportingComponent: 'example.com/c',
          reportingInstance: 'i',
          action: 'Do',
        }),
      ],
      [
        'new style of an unknown type',
        ev('f', {
          eventTime: micro,
          type: 'Funny',
          reportingComponent: 'example.com/c',
          reportingInstance: 'i',
          action: 'Do',
        }),
      ],
      ['old style of an unknown type', ev('f', { type: 'Funny' })],
      ['a long message', ev('f', { message: 'm'.repeat(2000) })],
      ['a time that cannot be read', ev('f', { lastTimestamp: 'yesterday' })],
      ['an unknown field', ev('f', { object: {} })],
    ],
    ({ metadata, message, ...rest }) => ({ ...rest, length: message?.length }),
  );
  await e.made(
    ev('b', {
      involvedObject: about('d', 'Deployment', {
        apiVersion: 'apps/v1',
        fieldPath: 'spec.containers{c}',
        resourceVersion: '5',
      }),
      type: 'Warning',
      reason: 'Failed',
      source: { component: 'ctl' },
    }),
  );
  for (const sel of [
    'involvedObject.kind=Deployment',
    'involvedObject.name=p',
    'involvedObject.uid=uid-d',
    'involvedObject.apiVersion=apps/v1',
    'involvedObject.fieldPath=spec.containers{c}',
    'involvedObject.resourceVersion=5',
    'type=Warning',
    'type!=Warning',
    'reason=Started',
    'source=ctl',
    'reportingComponent=example.com/c',
    'involvedObject.kind=Pod,type=Normal',
    'metadata.name=b',
  ]) {
    await e.list(`field selector ${sel}`, `?fieldSelector=${encodeURIComponent(sel)}`);
  }
  await e.list('an unsupported field selector', '?fieldSelector=message%3Dx');
  await e.patch(
    'counted by a strategic patch',
    'a',
    { count: 2, lastTimestamp: '2026-01-02T03:05:05Z' },
    { pick: (b) => [b.count, b.type] },
  );
  await e.patch(
    'a merge patch of the message',
    'a',
    { message: 'other' },
    { type: MERGE, pick: (b) => b.message },
  );
  await e.patch(
    'the namespace of its object may not change',
    'a',
    { involvedObject: { namespace: 'other' } },
    { type: MERGE },
  );
  await e.table('as a table');
  await t.step(
    'of all namespaces',
    'GET',
    `/api/v1/events?fieldSelector=metadata.namespace%3D${e.ns},type%3DWarning`,
    { pick: (b) => [b.kind, names(b)] },
  );
  await t.step('deletecollection by field', 'DELETE', `${e.all}?fieldSelector=type%3DWarning`, {
    pick: (b) => [b.kind, names(b)],
  });
  await e.remove('delete', 'a');
}

export async function newEvents(t) {
  const e = await scene(t, 'events.k8s.io/v1', 'Event', 'events', 'conf-kinds-newevents');
  const core = (n) => `/api/v1/namespaces/${e.ns}/events/${n}`;
  const ev = (name, rest = {}) =>
    e.make(name, {
      eventTime: micro,
      regarding: { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: e.ns },
      reason: 'R',
      note: 'n',
      type: 'Normal',
      action: 'Do',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      ...rest,
    });
  await e.create('an event', ev('a'), (b) => b);
  await e.tries(
    [
      ['no eventTime', ev('f', { eventTime: undefined })],
      ['no reportingController', ev('f', { reportingController: undefined })],
      ['a bad reportingController', ev('f', { reportingController: 'a b' })],
      ['no reportingInstance', ev('f', { reportingInstance: undefined })],
      ['no action', ev('f', { action: undefined })],
      ['no reason', ev('f', { reason: undefined })],
      ['no type', ev('f', { type: undefined })],
      ['an unknown type', ev('f', { type: 'Funny' })],
      ['a long note', ev('f', { note: 'n'.repeat(1025) })],
      ['a long reason', ev('f', { reason: 'r'.repeat(129) })],
      ['deprecated fields', ev('f', { deprecatedCount: 3, deprecatedFirstTimestamp: when })],
      ['a series of one', ev('f', { series: { count: 1, lastObservedTime: micro } })],
      ['a series without a time', ev('f', { series: { count: 2 } })],
      ['an eventTime without microseconds', ev('f', { eventTime: when })],
    ],
    ({ metadata, ...rest }) => rest,
  );
  await e.patch(
    'a series may be set',
    'a',
    { series: { count: 2, lastObservedTime: micro } },
    { pick: (b) => b.series },
  );
  await e.patch('the rest is immutable: reason', 'a', { reason: 'X' }, { type: MERGE });
  await e.patch('the rest is immutable: note', 'a', { note: 'X' }, { type: MERGE });
  await e.patch(
    'labels may change',
    'a',
    { metadata: { labels: { a: 'b' } } },
    { type: MERGE, pick: (b) => b.metadata.labels },
  );
  await t.step('as a core event', 'GET', core('a'), { pick: lean });
  await e.list('by reason', '?fieldSelector=reason%3DR');
  await e.list('by regarding', '?fieldSelector=regarding.name%3Dp');
  await e.list('by involvedObject', '?fieldSelector=involvedObject.name%3Dp');
  await e.table('as a table');
  await e.remove('delete', 'a');
}

export async function leases(t) {
  const l = await scene(t, 'coordination.k8s.io/v1', 'Lease', 'leases', 'conf-kinds-leases');
  const lease = (n, rest) =>
    l.make(n, {
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: micro,
        renewTime: micro,
        leaseTransitions: 0,
        ...rest,
      },
    });
  await l.create('a lease', lease('a'), (b) => b);
  await l.create('an empty one', l.make('empty'));
  await l.tries([
    ['a negative duration', lease('f', { leaseDurationSeconds: -1 })],
    ['no holder', lease('f', { holderIdentity: '' })],
    ['a preferred holder without a strategy', lease('f', { preferredHolder: 'you' })],
    ['a strategy', lease('f', { strategy: 'OldestEmulationVersion', preferredHolder: 'you' })],
    ['a bad strategy', lease('f', { strategy: 'not valid' })],
    ['a bad time', lease('f', { renewTime: 'now' })],
    ['a time with milliseconds', lease('f', { renewTime: '2026-01-02T03:04:05.123Z' })],
    ['a bad name', lease('Not_one')],
    ['an unknown field', lease('f', { holder: 'x' })],
  ]);
  const live = await t.setup('GET', l.at('a'));
  await t.step('renewed', 'PUT', l.at('a'), {
    body: { ...live, spec: { ...live.spec, renewTime: '2026-01-02T03:04:15.000000Z' } },
    pick: lean,
  });
  await t.step('renewed from the old one', 'PUT', l.at('a'), {
    body: { ...live, spec: { ...live.spec, renewTime: '2026-01-02T03:04:25.000000Z' } },
  });
  await l.patch(
    'a label',
    'a',
    { metadata: { labels: { a: 'b' } } },
    { pick: (b) => [b.metadata.labels, b.metadata.generation ?? 'no generation'] },
  );
  const {
    metadata: { resourceVersion: rv },
  } = await t.setup('GET', l.all);
  await t.watch(
    'watch by name',
    `${l.all}?watch=1&resourceVersion=${rv}&fieldSelector=metadata.name%3Da`,
    { count: 2, pick: event },
    async () => {
      await t.setup('PATCH', l.at('empty'), { body: { spec: { holderIdentity: 'x' } }, type: MERGE });
      await t.setup('PATCH', l.at('a'), { body: { spec: { holderIdentity: 'x' } }, type: MERGE });
      await t.setup('DELETE', l.at('a'));
    },
  );
  await l.table('as a table');
  await l.apply('apply', 'x', 'alpha', lease('x'), { pick: owned });
  await l.apply('a conflict', 'x', 'beta', lease('x', { holderIdentity: 'you' }));
  await t.step('deletecollection', 'DELETE', l.all, { pick: (b) => [b.kind, names(b)] });
}
