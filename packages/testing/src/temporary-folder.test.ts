import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

it('a temporary folder is removed with its contents when the test is done', () => {
  const whenDone: (() => void)[] = [];
  const folder = temporaryFolder((remove) => whenDone.push(remove));
  writeFileSync(join(folder, 'file'), '');
  for (const remove of whenDone) remove();
  expect(existsSync(folder)).toBe(false);
});

it('every temporary folder is a new one', () => {
  const whenDone: (() => void)[] = [];
  const folders = [1, 2].map(() => temporaryFolder((remove) => whenDone.push(remove)));
  expect(folders[0]).not.toBe(folders[1]);
  for (const remove of whenDone) remove();
});
