import type { JsonValue } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversionReview, cronTab } from '../testing/reviews.ts';
import { CutError, cutObjects, findObjects } from './cut-objects.ts';
import { readConversionRequest } from './read-request.ts';

const bytes = (review: object): Buffer => Buffer.from(JSON.stringify(review));

const noPause = async () => {};

/** The objects as read in pieces or, if that fails, whole. */
async function objectsOf(body: Buffer): Promise<{ readonly objects: JsonValue[]; readonly groups: number }> {
  for (const whole of [false, true]) {
    const received = await readConversionRequest(body, { whole, asBytes: false }, noPause);
    if ('fault' in received) throw new Error(received.fault);
    try {
      const groups = [...received.groups];
      return { objects: groups.flat(), groups: groups.length };
    } catch (error) {
      if (!(error instanceof CutError)) throw error;
    }
  }
  throw new Error('unreachable');
}

describe('a large review', () => {
  const objects = Array.from({ length: 200 }, (_, i) =>
    cronTab('v1', `c-${i}`, { text: 'ä"\\},{'.repeat(300) }),
  );

  it('is read in pieces, each object once', async () => {
    const read = await objectsOf(bytes(conversionReview('example.com/v2', objects)));
    expect(read.objects).toEqual(objects);
    expect(read.groups).toBeGreaterThan(4);
  });

  it('is read whole if objects contain others like them', async () => {
    const nested = Array.from({ length: 20 }, (_, i) =>
      cronTab('v1', `c-${i}`, { items: objects.slice(0, 10) }),
    );
    expect((await objectsOf(bytes(conversionReview('example.com/v2', nested)))).objects).toEqual(nested);
  });

  it('is read whole if it is formatted differently', async () => {
    const body = Buffer.from(JSON.stringify(conversionReview('example.com/v2', objects), null, 2));
    expect(findObjects(body)).toBeUndefined();
    expect((await objectsOf(body)).objects).toEqual(objects);
  });

  it('is read whole if something else is called objects', async () => {
    const { request, ...rest } = conversionReview('example.com/v2', objects) as { request: object };
    expect((await objectsOf(bytes({ extra: { objects }, ...rest, request }))).objects).toEqual(objects);
    expect(
      (await objectsOf(bytes({ extra: { objects }, ...rest, request: { ...request, objects: [] } }))).objects,
    ).toEqual([]);
  });

  it('that is read whole is read with pauses', async () => {
    const body = Buffer.from(JSON.stringify(conversionReview('example.com/v2', objects), null, 2));
    let pauses = 0;
    const received = await readConversionRequest(body, { whole: true, asBytes: false }, async () => {
      pauses++;
    });
    expect('groups' in received && [...received.groups].flat()).toEqual(objects);
    expect(pauses).toBeGreaterThan(10);
  });

  it('is refused if it is truncated', async () => {
    const body = bytes(conversionReview('example.com/v2', objects));
    const truncated = body.subarray(0, body.length - 200);
    expect(await readConversionRequest(truncated, { whole: false, asBytes: false }, noPause)).toEqual({
      fault: expect.stringContaining('not JSON'),
    });
  });
});

it('reads the same in pieces and whole, whatever the objects are', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const object = fc.record({
    apiVersion: fc.constant('example.com/v1'),
    kind: fc.constant('CronTab'),
    spec: value,
    list: fc.array(value, { maxLength: 3 }),
  });
  const odd = fc.array(fc.oneof({ weight: 9, arbitrary: object }, value), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(odd, fc.integer({ min: 1, max: 200 }), (objects, pieceBytes) => {
      const body = bytes(conversionReview('example.com/v2', objects));
      const before = Buffer.from(body);
      const found = findObjects(body);
      if (found === undefined) return;
      expect(JSON.parse(found.rest).request.objects).toEqual([]);
      const pieces = [...cutObjects(body, found, pieceBytes)];
      expect(body.equals(before)).toBe(true);
      try {
        expect(pieces.flatMap((piece) => JSON.parse(piece))).toEqual(JSON.parse(JSON.stringify(objects)));
      } catch (error) {
        // Cut inside an object: then it must not parse.
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }),
  );
});
