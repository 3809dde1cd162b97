import { applyJsonPatch, type JsonObject } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffPatch } from './diff-patch.ts';

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(
    fc.oneof(fc.constantFrom('a', 'b', 'a/b', '~', '~1', '', '__proto__', '0'), fc.string()),
    tie('value'),
    {
      maxKeys: 5,
    },
  ),
})).object as fc.Arbitrary<JsonObject>;

/** Without the prototypes that fast-check gives its objects. */
const plain = (object: JsonObject): JsonObject => JSON.parse(JSON.stringify(object));

describe('a patch between two objects', () => {
  it('turns the first into the second', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const [before, after] = [plain(a), plain(b)];
        expect(applyJsonPatch(before, diffPatch(before, after))).toEqual(after);
      }),
    );
  });

  it('is empty between equal objects', () => {
    fc.assert(fc.property(json, (object) => diffPatch(plain(object), plain(object)).length === 0));
  });

  it('touches only what differs', () => {
    const before = { spec: { list: [1, 2, 3, 4], kept: { deep: true }, gone: 1 } };
    const after = { spec: { list: [1, 3, 4], kept: { deep: true }, 'a/b': 1, absent: undefined } };
    expect(diffPatch(before, after as never)).toEqual([
      { op: 'remove', path: '/spec/gone' },
      { op: 'remove', path: '/spec/list/1' },
      { op: 'add', path: '/spec/a~1b', value: 1 },
    ]);
  });
});
