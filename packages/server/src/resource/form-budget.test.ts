import { expect, it } from 'vitest';
import { CachedObject, encodeForStore } from './cached-object.ts';
import { FormBudget } from './form-budget.ts';

const generation = {};
const form = new Uint8Array(100);

function objectWithForm(budget: FormBudget, name: string): CachedObject {
  const value = encodeForStore({ apiVersion: 'v1', kind: 'A', metadata: { name } });
  const object = CachedObject.fromEntry({ key: `/${name}`, value, createRevision: 1, modRevision: 1 });
  object.keepForm('v2', generation, form);
  budget.add(object, 'v2', generation, form.byteLength);
  return object;
}

it('drops the oldest forms beyond its limit, and keeps the newest', () => {
  const budget = new FormBudget(1000);
  const objects = Array.from({ length: 50 }, (_, i) => objectWithForm(budget, `o${i}`));
  const kept = objects.map((object) => object.form('v2', generation) !== undefined);
  expect(budget.bytes).toBeLessThanOrEqual(1000);
  expect(kept.filter(Boolean).length).toBe(budget.bytes / 100);
  expect(kept.lastIndexOf(false)).toBeLessThan(kept.indexOf(true));
  expect(kept.at(-1)).toBe(true);
});
