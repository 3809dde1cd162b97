// The parts of the engine that need no etcd.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from './address.ts';
import { hadNoEffect, isTransient, storeErrorOf } from './errors.ts';
import { FrameReader, frameOf } from './grpc/frames.ts';
import { errorOfTrailers, GRPC, GrpcError } from './grpc/status.ts';
import { isEmptyRange, prefixRange, without } from './key-range.ts';
import { decodeRange, encodeRange } from './messages/kv.ts';
import { MessageReader, MessageWriter } from './messages/wire.ts';
import { answersProgress } from './progress-support.ts';
import { RecentBatches } from './recent-batches.ts';
import { SharedCall } from './shared-call.ts';

describe('addresses', () => {
  it('name members', () => {
    expect(parseAddress('', '//a:1,b.c:2379,[::1]:3')).toEqual({
      endpoints: ['a:1', 'b.c:2379', '[::1]:3'],
      namespace: '',
    });
  });

  it('may name a namespace', () => {
    expect(parseAddress('', '//a:1/team/x/')).toEqual({ endpoints: ['a:1'], namespace: '/team/x' });
  });

  it.each(['', '//', '//host', '//host:port', 'host:1', '//a:1,b'])('are refused: %j', (rest) => {
    expect(() => parseAddress(`etcd:${rest}`, rest)).toThrow(/needs members, as in etcd:\/\/host:2379/);
  });
});

describe('frames', () => {
  it('survive any splitting of the bytes', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }), cuts, (messages, sizes) => {
        const bytes = Buffer.concat(messages.map((message) => frameOf(message)));
        const reader = new FrameReader(1_000);
        const out: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % (sizes.length || 1)] ?? 7;
          out.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(out.map((message) => [...message])).toEqual(messages.map((message) => [...message]));
      }),
    );
  });

  it('are refused if they are too large or compressed', () => {
    expect(() => new FrameReader(10).push(frameOf(new Uint8Array(11)))).toThrow(/larger than 10/);
    expect(() => new FrameReader(10).push(Buffer.of(1, 0, 0, 0, 0))).toThrow(/compressed/);
  });
});

describe('messages', () => {
  it('carry numbers and bytes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.maxSafeNat(),
        fc.uint8Array(),
        fc.string(),
        (small, large, bytes, text) => {
          const message = new MessageWriter()
            .number(1, small)
            .number(300, large)
            .bytes(2, bytes)
            .text(3, text)
            .finish();
          const reader = new MessageReader(message);
          const seen: Record<number, unknown> = {};
          for (let field = reader.next(); field !== 0; field = reader.next()) {
            seen[field] = field === 2 ? [...reader.bytes()] : field === 3 ? reader.text() : reader.number();
          }
          expect([seen[1] ?? 0, seen[300] ?? 0, seen[2], seen[3]]).toEqual([small, large, [...bytes], text]);
        },
      ),
    );
  });

  it('are as protoc encodes them', () => {
    const range = encodeRange({
      key: Buffer.from('/a'),
      end: Buffer.from('/b'),
      limit: 300,
      revision: 5,
      countOnly: true,
    });
    expect(range.toString('hex')).toBe('0a022f6112022f6218ac0220054801');
    const header = '0a04180c2003';
    const kv = '12130a022f6110021803200122067b2276223a31'.replace('22067b2276223a31', '2a067b2276223a31');
    expect(
      decodeRange(Buffer.from(`${header}${kv.replace('1213', '1212')}18012002`, 'hex'), 1),
    ).toMatchObject({
      revision: 12,
      entries: [{ key: 'a', createRevision: 2, modRevision: 3 }],
      more: true,
      count: 2,
    });
  });

  it('that are cut off are an error', () => {
    expect(() => new MessageReader(Buffer.of(0x80)).next()).toThrow(RangeError);
    const reader = new MessageReader(Buffer.of(0x0a, 5, 1));
    reader.next();
    expect(() => reader.bytes()).toThrow(RangeError);
  });
});

describe('ranges', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\u{1f600}', '\u007f'), maxLength: 4 });
  const isIn = (range: { key: Uint8Array; end: Uint8Array }, text: string): boolean => {
    const bytes = Buffer.from(text);
    const belowEnd = (range.end.length === 1 && range.end[0] === 0) || Buffer.compare(bytes, range.end) < 0;
    return Buffer.compare(bytes, range.key) >= 0 && belowEnd;
  };

  it('hold exactly the keys with a prefix after another key', () => {
    fc.assert(
      fc.property(key, fc.option(key, { nil: undefined }), key.filter(Boolean), (prefix, after, one) => {
        const expected =
          one.startsWith(prefix) &&
          (after === undefined || Buffer.compare(Buffer.from(one), Buffer.from(after)) > 0);
        expect(isIn(prefixRange(prefix, after), one)).toBe(expected);
      }),
    );
  });

  it('can leave out one key', () => {
    fc.assert(
      fc.property(key, key.filter(Boolean), key.filter(Boolean), (prefix, hidden, one) => {
        const range = prefixRange(prefix);
        const parts = without(range, Buffer.from(hidden)).filter((part) => !isEmptyRange(part));
        expect(parts.some((part) => isIn(part, one))).toBe(isIn(range, one) && one !== hidden);
      }),
    );
  });
});

describe('errors', () => {
  it.each([
    [11, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
    [11, 'etcdserver: mvcc: required revision is a future revision', 'future-revision'],
    [8, 'etcdserver: mvcc: database space exceeded', 'full'],
    [3, 'etcdserver: request is too large', 'invalid'],
    [15, 'etcdserver: corrupt cluster', 'corrupt'],
    [14, 'etcdserver: leader changed', 'unavailable'],
    [7, 'etcdserver: permission denied', 'unavailable'],
  ])('%i %s is %s', (code, message, expected) => {
    expect(storeErrorOf(new GrpcError(code, message))).toMatchObject({ code: expected, message });
  });

  it('of writes are retried only if nothing can have happened', () => {
    const unsure = new GrpcError(GRPC.unavailable, 'etcdserver: request timed out');
    expect([isTransient(unsure), hadNoEffect(unsure)]).toEqual([true, false]);
    expect(hadNoEffect(new GrpcError(GRPC.unavailable, 'connect ECONNREFUSED', { unsent: true }))).toBe(true);
    expect(hadNoEffect(new GrpcError(GRPC.unavailable, 'etcdserver: no leader'))).toBe(true);
  });

  it('come from trailers, with their text decoded', () => {
    expect(errorOfTrailers({ 'grpc-status': '0' })).toBeUndefined();
    expect(errorOfTrailers({ 'grpc-status': '5', 'grpc-message': 'not%20found' })).toMatchObject({
      code: 5,
      message: 'not found',
    });
    expect(errorOfTrailers({})).toMatchObject({ code: GRPC.unknown });
  });
});

describe('progress', () => {
  it.each([
    ['3.4.23', false],
    ['3.4.31', true],
    ['3.5.12', false],
    ['3.5.13', true],
    ['3.6.0', true],
    ['4.0.0', true],
    ['3.3.99', false],
    ['', false],
  ])('is asked of %s: %s', (version, expected) => {
    expect(answersProgress(version)).toBe(expected);
  });
});

describe('recent batches', () => {
  const batch = (revision: number) => ({
    revision,
    events: [{ type: 'delete' as const, key: '/a', revision }],
  });

  it('are complete from a revision on, or report that they are not', () => {
    const recent = new RecentBatches(10);
    recent.push(Array.from({ length: 5_000 }, (_, at) => batch(11 + at)));
    expect(recent.from(11)).toBeUndefined();
    expect(recent.from(5_000)?.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 11 }, (_, at) => 5_000 + at),
    );
    recent.forgetUpTo(5_005);
    expect(recent.from(5_005)).toBeUndefined();
    expect(recent.from(5_006)).toHaveLength(5);
  });
});

describe('a shared call', () => {
  it('answers with a call that started after the request', async () => {
    let [began, release] = [0, () => {}];
    const call = new SharedCall(async () => {
      const number = ++began;
      await new Promise<void>((resolve) => (release = resolve));
      return number;
    });
    const first = call.next();
    const [second, third] = [call.next(), call.next()];
    release();
    expect(await first).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect(await Promise.all([second, third])).toEqual([2, 2]);
  });
});
