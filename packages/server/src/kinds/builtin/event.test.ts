import type { KubeObject } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { events } from './event.ts';
import { EVENTS, eventConverter } from './event-conversion.ts';
import { Trial } from './trial.ts';

const core = new Trial(events);
const modern = new Trial(events, EVENTS);
const about = { kind: 'Widget', name: 'w', namespace: 'ns' };
const eventTime = '2026-01-02T03:04:05.000006Z';
const whole = {
  eventTime,
  regarding: about,
  reportingController: 'example.com/c',
  reportingInstance: 'i',
  action: 'Do',
  reason: 'R',
  type: 'Normal',
  note: 'n',
};

describe('events', () => {
  it.each([
    [
      'of another namespace',
      { involvedObject: { ...about, namespace: 'default' } },
      ['involvedObject.namespace: Invalid value: "default": does not match event.namespace'],
    ],
    [
      'about a cluster-wide object',
      { involvedObject: { kind: 'Node' } },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
    [
      'about a cluster-wide object in default',
      { metadata: { namespace: 'default' }, involvedObject: { kind: 'Node' } },
      [],
    ],
    ['of the old kind', { involvedObject: about }, []],
    [
      'of the new kind without what it needs',
      { involvedObject: about, eventTime },
      [
        'reportingComponent: Required value',
        'reportingComponent: Invalid value: "": name part must be non-empty',
        expect.stringContaining('reportingComponent: Invalid value: "": name part must consist of'),
        'reportingInstance: Required value',
        'action: Required value',
        'reason: Required value',
      ],
    ],
  ])('in core v1 are validated: %s', (_what, body, faults) => {
    expect(core.faults(body)).toEqual(faults);
  });

  it.each([
    ['whole', whole, []],
    ['without a time', { ...whole, eventTime: null }, ['eventTime: Required value']],
    ['without a reason', { ...whole, reason: undefined }, ['reason: Required value']],
    ['of a strange type', { ...whole, type: 'Odd' }, ['type: Invalid value: "": has invalid value: Odd']],
    [
      'with old fields',
      { ...whole, deprecatedCount: 1, deprecatedSource: { host: 'h' } },
      ['count: Invalid value: "": needs to be unset', 'source: Invalid value: "": needs to be unset'],
    ],
    [
      'with a note that is too long',
      { ...whole, note: 'x'.repeat(1025) },
      ['message: Invalid value: "": can have at most 1024 characters'],
    ],
    [
      'with a series of one',
      { ...whole, series: { count: 1 } },
      ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
    ],
  ])('in events.k8s.io are validated: %s', (_what, body, faults) => {
    expect(modern.faults(body)).toEqual(faults);
  });

  it('in events.k8s.io are immutable except for their series', () => {
    const series = { count: 2, lastObservedTime: eventTime };
    expect(modern.update({ ...whole, series }, whole).faults).toEqual([]);
    expect(modern.update({ ...whole, note: 'other' }, whole).faults).toEqual([
      'message: Invalid value: "other": field is immutable',
    ]);
    expect(
      core.update({ involvedObject: about, message: 'other' }, { involvedObject: about }).faults,
    ).toEqual([]);
  });

  it('expire after an hour', () => {
    expect(events.strategy.ttlSeconds!(core.create({}))).toBe(3600);
  });

  it('show the same cells in both groups', () => {
    const now = Date.parse(eventTime) + 60_000;
    const old = {
      metadata: { name: 'e' },
      involvedObject: { ...about, fieldPath: 'spec.x' },
      reason: 'R',
      message: ' m ',
      type: 'Normal',
      count: 3,
      firstTimestamp: '2026-01-02T03:03:05Z',
      lastTimestamp: '2026-01-02T03:04:05Z',
      source: { component: 'c', host: 'h' },
    };
    expect(core.columnNames).toEqual([
      'Last Seen',
      'Type',
      'Reason',
      'Object',
      'Subobject*',
      'Source*',
      'Message',
      'First Seen*',
      'Count*',
      'Name*',
    ]);
    expect(core.cells(old, now)).toEqual([
      '60s',
      'Normal',
      'R',
      'widget/w',
      'spec.x',
      'c, h',
      'm',
      '2m',
      3,
      'e',
    ]);
    expect(modern.cells(whole, now)).toEqual([
      '60s',
      'Normal',
      'R',
      'widget/w',
      '',
      'example.com/c, i',
      'n',
      '60s',
      1,
      'a',
    ]);
    expect(modern.selects(whole)).toMatchObject({
      'regarding.name': 'w',
      reportingController: 'example.com/c',
      type: 'Normal',
    });
    expect(core.selects(old)).toMatchObject({
      'involvedObject.name': 'w',
      source: 'c',
      reportingComponent: '',
    });
  });

  it('lose nothing in a conversion to the other group and back', () => {
    const texts = fc.record(
      {
        reason: fc.string(),
        message: fc.string(),
        type: fc.string(),
        action: fc.string(),
        count: fc.nat(),
        reportingComponent: fc.string(),
        reportingInstance: fc.string(),
      },
      { requiredKeys: [] },
    );
    const series = fc.option(fc.record({ count: fc.nat(3), lastObservedTime: fc.constant(eventTime) }), {
      nil: undefined,
    });
    const bodies = fc.record({
      texts,
      series,
      source: fc.record({ component: fc.string() }, { requiredKeys: [] }),
      time: fc.constantFrom(null, eventTime),
    });
    fc.assert(
      fc.property(bodies, ({ texts: rest, series: s, source, time }) => {
        const event = core.create({
          ...rest,
          source,
          eventTime: time,
          involvedObject: about,
          ...(s && { series: s }),
        });
        const other = eventConverter.convertNow(event, EVENTS);
        // The converted Event equals what a client of that group would have sent.
        const { metadata, ...fields } = modern.decode(other as object) as KubeObject;
        expect({ ...fields, metadata }).toEqual(other);
        expect(eventConverter.convertNow(other, 'v1')).toEqual(event);
      }),
    );
  });
});
