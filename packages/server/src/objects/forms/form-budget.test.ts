import { expect, it } from 'vitest';
import { CachedObject, encodeForStore } from '../cached-object.ts';
import { FormBudget } from './form-budget.ts';

const generation = {};
const form = new Uint8Array(100);

/** The newest state of each object, as a cache has it. */
const objects = new Map<string, CachedObject>();
const cache = new WeakRef(objects);

function objectWithForm(budget: FormBudget, name: string, revision = 1): CachedObject {
  const value = encodeForStore({ apiVersion: 'v1', kind: 'A', metadata: { name } });
  const object = CachedObject.fromEntry({ key: `/${name}`, value, createRevision: 1, modRevision: revision });
  objects.set(object.key, object);
  object.cacheForm('v2', generation, form);
  budget.add(cache, object, 'v2', generation, form.byteLength);
  return object;
}

it('drops the oldest forms beyond its limit', () => {
  const budget = new FormBudget(1000);
  const made = Array.from({ length: 50 }, (_, i) => objectWithForm(budget, `o${i}`));
  const kept = made.map((object) => object.form('v2', generation) !== undefined);
  expect(budget.bytes).toBeLessThanOrEqual(1000);
  expect(kept.filter(Boolean).length).toBe(budget.bytes / 100);
  expect(kept.lastIndexOf(false)).toBeLessThan(kept.indexOf(true));
  expect(kept.at(-1)).toBe(true);
});

it('does not count forms of earlier states of objects, nor those of an earlier definition', () => {
  const budget = new FormBudget(1000);
  const kept = objectWithForm(budget, 'kept');
  for (let revision = 1; revision <= 50; revision++) objectWithForm(budget, 'changed', revision);
  expect(kept.form('v2', generation)).toBeDefined();
  kept.cacheForm('v2', {}, form);
  for (let revision = 51; revision <= 80; revision++) objectWithForm(budget, 'changed', revision);
  expect(budget.bytes).toBeLessThanOrEqual(1000);
  expect(objects.get('/changed')!.form('v2', generation)).toBeDefined();
});
