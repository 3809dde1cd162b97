import { ApiError, apiErrors } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import type { KubeApi, ListOptions, ObjectList, PageOptions } from './kube-api.ts';
import { listPages } from './list-pages.ts';

const ref = { group: 'example.com', version: 'v1', resource: 'widgets' };

/** Pages of one object; the third is refused as expired once. */
function pagesOf(offered: string | undefined) {
  const asked: ListOptions[] = [];
  const list = async (_: unknown, options: ListOptions): Promise<ObjectList> => {
    asked.push(options);
    if (asked.length === 3) throw apiErrors.expired('The provided continue parameter is too old', offered);
    const next = asked.length < 4 ? `page-${asked.length}` : '';
    const item = { apiVersion: 'v1', kind: 'Widget', metadata: { name: `w${asked.length}` } };
    return {
      apiVersion: 'v1',
      kind: 'WidgetList',
      metadata: { continue: next, resourceVersion: '7' },
      items: [item],
    };
  };
  return { api: { list } as unknown as Pick<KubeApi, 'list'>, asked };
}

async function namesOf(api: Pick<KubeApi, 'list'>, options?: PageOptions): Promise<string[]> {
  const names: string[] = [];
  for await (const page of listPages(api, ref, options))
    names.push(...page.items.map(({ metadata }) => metadata.name!));
  return names;
}

describe('a list that expires between pages', () => {
  it('says how far it got', async () => {
    const { api } = pagesOf('token');
    const error = await namesOf(api).catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect([error.code, error.reason, error.status.metadata.continue]).toEqual([410, 'Expired', 'token']);
    expect(error.message).toMatch(
      /^the list of widgets\.example\.com expired after 2 pages \(2 objects\): .* The provided continue parameter is too old$/,
    );
  });

  it('continues with newer state if the caller and the server allow it', async () => {
    const { api, asked } = pagesOf('token');
    expect(await namesOf(api, { onExpired: 'continue', resourceVersion: '0', limit: 1 })).toEqual([
      'w1',
      'w2',
      'w4',
    ]);
    expect(asked.map((options) => [options.continue, options.resourceVersion])).toEqual([
      [undefined, '0'],
      ['page-1', undefined],
      ['page-2', undefined],
      ['token', undefined],
    ]);
    await expect(namesOf(pagesOf(undefined).api, { onExpired: 'continue' })).rejects.toThrow(
      'expired after 2 pages',
    );
  });
});
