import { type FieldError, fieldErrors, type JsonObject } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerReview } from '../answer-review.ts';
import { admissionReview } from '../testing/reviews.ts';
import { admission } from './admission.ts';
import { immutableField } from './immutable-field.ts';
import { type RatchetOptions, ratchet } from './ratchet.ts';
import type { AdmissionVerdict } from './verdict.ts';

interface Thing extends JsonObject {
  spec: { size: number; source: string; note?: string };
}

const strict = ({ spec }: Thing): FieldError[] =>
  spec.size > 10 ? [fieldErrors.invalid('spec.size', spec.size, 'must be at most 10')] : [];
const thing = fc.record({
  spec: fc.record({ size: fc.integer({ min: 0, max: 20 }), source: fc.constantFrom('a', 'b') }),
}) as fc.Arbitrary<Thing>;
const decide = ratchet<Thing>(strict, { immutable: ['spec.source'] });
const isAllowed = (operation: string, object: Thing | null, oldObject: Thing | null): boolean =>
  (decide({ operation, object, oldObject } as never, {} as never) as AdmissionVerdict).allowed;

describe('the laws of ratcheting', () => {
  it('refuses only to create what is invalid', () => {
    fc.assert(
      fc.property(thing, (object) => isAllowed('CREATE', object, null) === (strict(object).length === 0)),
    );
  });

  it('never refuses an update that changes nothing', () => {
    fc.assert(fc.property(thing, (object) => isAllowed('UPDATE', structuredClone(object), object)));
  });

  it('never lets a valid object become invalid', () => {
    const valid = thing.filter((object) => strict(object).length === 0);
    const invalid = thing.filter((object) => strict(object).length > 0);
    fc.assert(fc.property(valid, invalid, (before, after) => !isAllowed('UPDATE', after, before)));
  });

  it('lets an object that was invalid already change everything except immutable fields', () => {
    const invalid = thing.filter((object) => strict(object).length > 0);
    fc.assert(
      fc.property(invalid, thing, (before, after) => {
        expect(isAllowed('UPDATE', after, before)).toBe(before.spec.source === after.spec.source);
      }),
    );
  });

  it('never lets an immutable field change', () => {
    fc.assert(
      fc.property(thing, thing, (before, after) => {
        if (before.spec.source !== after.spec.source) expect(isAllowed('UPDATE', after, before)).toBe(false);
      }),
    );
  });

  it('never refuses a deletion', () => {
    fc.assert(fc.property(thing, (object) => isAllowed('DELETE', null, object)));
  });
});

describe('as a webhook', () => {
  const ask = async (
    request: object,
    options: RatchetOptions<Thing> = {},
    validator: typeof strict | ((object: Thing) => Promise<FieldError[]>) = strict,
  ) =>
    (await answerReview(admission(ratchet<Thing>(validator, options)), admissionReview(request))).body[
      'response'
    ];
  const [good, bad] = [{ spec: { size: 1, source: 'a' } }, { spec: { size: 11, source: 'a' } }];

  it('names the invalid fields in a denial with the given code', async () => {
    const message = 'spec.size: Invalid value: 11: must be at most 10';
    expect(await ask({ object: bad }, { code: 400 })).toEqual({
      uid: 'u-1',
      allowed: false,
      status: {
        status: 'Failure',
        message,
        code: 400,
        reason: 'BadRequest',
        details: {
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 11: must be at most 10',
              field: 'spec.size',
            },
          ],
        },
      },
    });
    expect(await ask({ object: bad })).toMatchObject({ status: { code: 422, reason: 'Invalid' } });
  });

  it('warns about what is still invalid unless warn is false', async () => {
    const update = { operation: 'UPDATE', object: bad, oldObject: bad };
    const warnings = [
      'still invalid, as before this change: spec.size: Invalid value: 11: must be at most 10',
    ];
    expect(await ask(update)).toEqual({ uid: 'u-1', allowed: true, warnings });
    expect(await ask(update, { warn: false })).toEqual({ uid: 'u-1', allowed: true });
  });

  it('waits for asynchronous validators', async () => {
    const slow = async (object: Thing): Promise<FieldError[]> => strict(object);
    expect(await ask({ object: bad }, {}, slow)).toMatchObject({ allowed: false });
    expect(await ask({ operation: 'UPDATE', object: bad, oldObject: good }, {}, slow)).toMatchObject({
      allowed: false,
    });
    expect(await ask({ operation: 'UPDATE', object: bad, oldObject: bad }, {}, slow)).toMatchObject({
      allowed: true,
    });
  });
});

describe('immutable fields', () => {
  const once = immutableField<JsonObject>('spec.ref.uid', { onceSet: true, message: 'is set already' });

  it('may be set once with onceSet', () => {
    const at = (uid?: string | null): JsonObject => ({ spec: uid === undefined ? {} : { ref: { uid } } });
    expect(once(at(), at('a'))).toEqual([]);
    expect(once(at(''), at('a'))).toEqual([]);
    expect(once(at(null), at('a'))).toEqual([]);
    expect(once(at('a'), at('b'))).toEqual([fieldErrors.invalid('spec.ref.uid', 'b', 'is set already')]);
    expect(once(at('a'), at())).toHaveLength(1);
  });

  it('are unset where a parent is not an object', () => {
    const rule = immutableField<JsonObject>('spec.source');
    expect(rule({ spec: 'text' }, { spec: 'text' })).toEqual([]);
    expect(rule({ spec: { source: { a: [1, 2] } } }, { spec: { source: { a: [1, 2] } } })).toEqual([]);
    expect(rule({ spec: { source: { a: [1, 2] } } }, { spec: { source: { a: [2, 1] } } })).toHaveLength(1);
    expect(immutableField<JsonObject>('spec.constructor')({ spec: {} }, { spec: {} })).toEqual([]);
  });
});
