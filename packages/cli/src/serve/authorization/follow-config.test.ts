import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthorizationMode } from '@instar/server';
import { SILENT } from '@instar/serving';
import { eventually, temporaryFolder } from '@instar/testing';
import { expect, it, onTestFinished } from 'vitest';
import { followAuthorizationConfig } from './follow-config.ts';

const folder = temporaryFolder();
let files = 0;

type Outcome = 'failed' | readonly AuthorizationMode[];

/** What becomes of a file that is replaced. */
async function outcomeOf(content: string): Promise<Outcome> {
  const file = join(folder, `config-${files++}.yaml`);
  writeFileSync(file, config('RBAC'));
  const seen: Outcome[] = [];
  const stop = followAuthorizationConfig(
    file,
    [{ type: 'RBAC' }],
    SILENT,
    5,
  )({
    replaced: (modes) => seen.push(modes),
    failed: () => seen.push('failed'),
  });
  onTestFinished(stop);
  // Written until it is noticed: it may not have been looked at for the first time before.
  await eventually('the change is noticed', () => {
    if (seen.length > 0) return true;
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    return false;
  });
  return seen[0]!;
}

const config = (...types: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });

it('reports what the file says when it was written again', async () => {
  expect(await outcomeOf(config('RBAC'))).toEqual(['RBAC']);
});

it.each([
  ['is no configuration', 'nonsense'],
  ['is not valid', config('RBAC', 'RBAC')],
  ['has a type that was not there from the start', config('RBAC', 'AlwaysDeny')],
  ['lacks a type that was there', config('AlwaysAllow')],
])('reports a file that %s as failed', async (_, content) => {
  expect(await outcomeOf(content)).toBe('failed');
});
