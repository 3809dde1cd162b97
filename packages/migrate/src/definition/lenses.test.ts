import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { expect, it } from 'vitest';
import { readServerLens } from './lenses.ts';

const crd = { metadata: { name: 'crontabs.example.com' } } as CustomResourceDefinition;
const answering = (status: number): KubeApi =>
  ({ request: async () => ({ status, headers: {}, body: Buffer.from('{}') }) }) as unknown as KubeApi;

it('is no lens where lenses are unknown', async () => {
  expect(await readServerLens(answering(404), crd)).toBeUndefined();
});

it.each([429, 503])('is an error if the server answers %i, since it may have one', async (status) => {
  await expect(readServerLens(answering(status), crd)).rejects.toMatchObject({ code: status });
});
