// One pass over all objects of a definition, page by page, several objects concurrently. Progress is reported
// page by page: an object counts as done only when all before it are.
import { apiErrorOf, type KubeApi, type RawAnswer, type RawRequest } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import type { ObjectMeta } from '@instar/machinery';
import { type MetadataPage, metadataPages } from '../stored/metadata-pages.ts';
import type { MigrationOutcome, ReportEntry } from './outcome.ts';
import type { Pace } from './pace.ts';
import { isTransient } from './rewrite-object.ts';
import { withRetries } from './with-retries.ts';

export interface PassOptions {
  readonly api: KubeApi;
  readonly crd: CustomResourceDefinition;
  readonly version: string;
  readonly concurrency: number;
  readonly pageSize: number;
  readonly pace: Pace;
  readonly retryMs: number;
  readonly signal: AbortSignal;
  /** Where to begin; empty: at the first object. */
  readonly continue: string;
  work(metadata: ObjectMeta): Promise<MigrationOutcome>;
  /** Called for every object when it is done. */
  done(entry: ReportEntry): void;
  /** Called after a page was read; `remaining` is the number of objects left, if the server reports it. */
  expect(onPage: number, remaining: number | undefined): void;
  /** Called when all objects up to a point are done; `next` is where to continue. */
  pageDone(next: string): Promise<void>;
}

export async function pass(options: PassOptions): Promise<void> {
  const { api, crd, version, signal, pageSize, retryMs: patienceMs } = options;
  const request = (asked: RawRequest): Promise<RawAnswer> =>
    withRetries(() => requestOnce(api, asked), { signal, retryMs: patienceMs });
  const pages = metadataPages({ request }, crd, version, {
    continue: options.continue,
    limit: pageSize,
    signal,
  });
  let next = pages.next();
  for (;;) {
    const { value: page, done } = await next;
    if (done) return;
    // The next page is read while this one is worked on.
    next = pages.next();
    next.catch(() => {});
    options.expect(page.items.length, page.remaining);
    await workOn(page, options);
    await options.pageDone(page.continue);
  }
}

/** Transient errors are thrown, so that the request is retried. */
async function requestOnce(api: KubeApi, asked: RawRequest): Promise<RawAnswer> {
  const answer = await api.request(asked);
  if (answer.status < 300) return answer;
  const error = apiErrorOf(answer.status, answer.body, `${asked.method} ${asked.path}`);
  if (isTransient(error)) throw error;
  return answer;
}

async function workOn(
  { items }: MetadataPage,
  { concurrency, pace, signal, retryMs: patienceMs, work, done }: PassOptions,
): Promise<void> {
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < items.length) {
      const metadata = items[at++]!;
      await pace.turn();
      const outcome = await withRetries(() => work(metadata), { signal, retryMs: patienceMs });
      done({
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        name: metadata.name!,
        ...outcome,
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
