// Once over all objects of a definition, page by page, several objects at a time. What was done is told page
// by page: an object counts as done only when all before it are.
import { apiErrorOf, type KubeApi, type RawAnswer, type RawRequest } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import type { ObjectMeta } from '@instar/machinery';
import { type MetadataPage, metadataPages } from '../stored/metadata-pages.ts';
import type { MigrationOutcome, ReportEntry } from './outcome.ts';
import type { Pace } from './pace.ts';
import { patiently } from './patience.ts';
import { isTransient } from './rewrite-object.ts';

export interface PassOptions {
  readonly api: KubeApi;
  readonly crd: CustomResourceDefinition;
  readonly version: string;
  readonly concurrency: number;
  readonly pageSize: number;
  readonly pace: Pace;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** Where to begin; empty: at the first object. */
  readonly continue: string;
  work(metadata: ObjectMeta): Promise<MigrationOutcome>;
  /** Told of every object as it is done. */
  done(entry: ReportEntry): void;
  /** Told how many objects are left after a page was read, if the server says so. */
  expect(onPage: number, remaining: number | undefined): void;
  /** Told when all objects up to a place are done; `next` is where to go on. */
  pageDone(next: string): Promise<void>;
}

export async function pass(options: PassOptions): Promise<void> {
  const { api, crd, version, signal, pageSize, patienceMs } = options;
  const request = (asked: RawRequest): Promise<RawAnswer> =>
    patiently(() => requestOnce(api, asked), { signal, patienceMs });
  const pages = metadataPages({ request }, crd, version, {
    continue: options.continue,
    limit: pageSize,
    signal,
  });
  let next = pages.next();
  for (;;) {
    const { value: page, done } = await next;
    if (done) return;
    // The page after this one is read while this one is worked on.
    next = pages.next();
    next.catch(() => {});
    options.expect(page.items.length, page.remaining);
    await workOn(page, options);
    await options.pageDone(page.continue);
  }
}

/** Answers that may be others later are thrown, so that they are asked for again. */
async function requestOnce(api: KubeApi, asked: RawRequest): Promise<RawAnswer> {
  const answer = await api.request(asked);
  if (answer.status < 300) return answer;
  const error = apiErrorOf(answer.status, answer.body, `${asked.method} ${asked.path}`);
  if (isTransient(error)) throw error;
  return answer;
}

async function workOn(
  { items }: MetadataPage,
  { concurrency, pace, signal, patienceMs, work, done }: PassOptions,
): Promise<void> {
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < items.length) {
      const metadata = items[at++]!;
      await pace.turn();
      const outcome = await patiently(() => work(metadata), { signal, patienceMs });
      done({
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        name: metadata.name!,
        ...outcome,
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
