import { expect, it } from 'vitest';
import { Teardown } from './teardown.ts';

it('runs the steps in reverse order, each once, even if some fail', async () => {
  const done: string[] = [];
  const teardown = new Teardown();
  teardown.add(() => done.push('first'));
  teardown.add(async () => {
    done.push('second');
    throw new Error('no');
  });
  teardown.add(async () => done.push('third'));
  await expect(Promise.all([teardown.run(), teardown.run()])).rejects.toThrow('no');
  await expect(teardown.run()).rejects.toThrow('no');
  expect(done).toEqual(['third', 'second', 'first']);
});
