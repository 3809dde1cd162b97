// A list in pages. All pages are of one revision; if the server compacts it meanwhile, the error says how far
// the list got.
import { ApiError, type KubeObject } from '@instar/machinery';
import type { KubeApi, ObjectList, PageOptions } from './kube-api.ts';
import { type ResourceRef, resourceText } from './resource-ref.ts';

const DEFAULT_LIMIT = 500;

export async function* listPages<T extends KubeObject>(
  api: Pick<KubeApi, 'list'>,
  ref: ResourceRef,
  options: PageOptions = {},
): AsyncGenerator<ObjectList<T>> {
  const { onExpired = 'fail', resourceVersion, limit = DEFAULT_LIMIT, ...rest } = options;
  let next: string | undefined;
  let [pages, objects] = [0, 0];
  do {
    // The continue token contains the revision: the server refuses both together.
    const first = resourceVersion === undefined || next !== undefined ? {} : { resourceVersion };
    try {
      const page = await api.list<T>(ref, {
        ...rest,
        ...first,
        limit,
        ...(next !== undefined && { continue: next }),
      });
      yield page;
      pages++;
      objects += page.items.length;
      next = page.metadata.continue || undefined;
    } catch (error) {
      const offered = next === undefined ? undefined : offeredToken(error);
      if (offered === undefined) throw error;
      if (onExpired === 'fail' || offered === '') throw expired(error as ApiError, ref, pages, objects);
      next = offered;
    }
  } while (next !== undefined);
}

/** Undefined: another error. Empty: expired, and the server offers no token to continue. */
function offeredToken(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 410) return undefined;
  return error.status.metadata.continue ?? '';
}

function expired(error: ApiError, ref: ResourceRef, pages: number, objects: number): ApiError {
  const progress = `after ${pages} ${pages === 1 ? 'page' : 'pages'} (${objects} objects)`;
  const message = `the list of ${resourceText(ref)} expired ${progress}: the server no longer keeps that revision; list again from the start. It said: ${error.message}`;
  return new ApiError({ ...error.status, message });
}
