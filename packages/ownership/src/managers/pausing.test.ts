import { describe, expect, it } from 'vitest';
import { make, V1, V2, versions } from '../testing/widget.ts';
import { type ApplyInput, applyManaged, applyManagedPausing } from './apply.ts';
import { type UpdateInput, updateManagedFields, updateManagedFieldsPausing } from './update.ts';
import { type Pauses, relabel } from './versions.ts';

const context = { apiVersion: V1, manager: 'alpha', now: '2026-01-01T00:00:00Z', versions };

function pausesThatAre(isOver: boolean): Pauses & { readonly count: number } {
  let count = 0;
  return {
    isOver,
    async yieldIfOver() {
      count++;
      await new Promise((resolve) => setImmediate(resolve));
    },
    get count() {
      return count;
    },
  };
}

const live = updateManagedFields({
  ...context,
  manager: 'beta',
  apiVersion: V2,
  live: undefined,
  next: { ...make({ image: 'one', ports: [{ port: 1, protocol: 'TCP' }] }), apiVersion: V2 },
});
const apply: ApplyInput = {
  ...context,
  kind: 'Widget',
  live: { ...live, apiVersion: V1 },
  applied: make({ image: 'two', ports: [{ port: 2, protocol: 'TCP' }] }),
  force: true,
};
const update: UpdateInput = { ...context, live: apply.live, next: make({ image: 'three', note: 'n' }) };

describe('a write that takes long', () => {
  it('lets other work run between the steps of an apply, with the same result', async () => {
    const pauses = pausesThatAre(true);
    expect(await applyManagedPausing(apply, relabel, pauses)).toEqual(applyManaged(apply));
    expect(pauses.count).toBeGreaterThan(4);
  });

  it('lets other work run between the steps of an update, with the same result', async () => {
    const pauses = pausesThatAre(true);
    expect(await updateManagedFieldsPausing(update, relabel, pauses)).toEqual(updateManagedFields(update));
    expect(pauses.count).toBeGreaterThan(1);
  });

  it('reports a conversion that fails as before', async () => {
    const failing = () => {
      throw new Error('cannot be converted');
    };
    const pauses = pausesThatAre(true);
    await expect(applyManagedPausing(apply, failing, pauses)).rejects.toThrow('cannot be converted');
  });
});

it('a write that takes no time is made without waiting', () => {
  const result = applyManagedPausing(apply, relabel, pausesThatAre(false));
  expect(result).toEqual(applyManaged(apply));
});
