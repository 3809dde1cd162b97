// The objects of a definition, page by page, metadata only; from an Instar server, with their stored version.
// An expired page is continued with the token that the server offers: objects created since are new anyway.
import { apiErrorOf, type KubeApi, resourcePath } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { ApiError, type KubeObject, type ObjectMeta } from '@instar/machinery';
import { objectsRef } from '../definition/definition.ts';

const ACCEPT = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
export const PAGE = 500;
export const STORED_VERSION = 'instar.dev/stored-version';

export interface MetadataPage {
  readonly items: readonly ObjectMeta[];
  /** Empty: this was the last. */
  readonly continue: string;
  readonly remaining: number | undefined;
}

export interface PagesOptions {
  readonly continue?: string;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Through `version`; if a page cannot be read in it, through another served version. */
export async function* metadataPages(
  api: Pick<KubeApi, 'request'>,
  crd: CustomResourceDefinition,
  version: string,
  options: PagesOptions,
): AsyncGenerator<MetadataPage> {
  const others = crd.spec.versions
    .filter(({ name, served }) => served && name !== version)
    .map(({ name }) => name);
  let next = options.continue ?? '';
  do {
    const page = await readInAny(api, crd, [version, ...others], { ...options, continue: next });
    yield page;
    next = page.continue;
  } while (next !== '');
}

/**
 * kube-apiserver fails a whole list for one object that cannot be converted. In the version in which that one
 * is stored it need not be converted, and tokens are valid in all versions.
 */
async function readInAny(
  api: Pick<KubeApi, 'request'>,
  crd: CustomResourceDefinition,
  versions: readonly string[],
  options: PagesOptions,
): Promise<MetadataPage> {
  let first: unknown;
  for (const version of versions) {
    try {
      return await readPage(api, crd, version, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 500) throw error;
      first ??= error;
    }
  }
  throw first;
}

async function readPage(
  api: Pick<KubeApi, 'request'>,
  crd: CustomResourceDefinition,
  version: string,
  options: PagesOptions,
): Promise<MetadataPage> {
  const { limit = PAGE, continue: next = '', signal } = options;
  const path = resourcePath(objectsRef(crd, version));
  const answer = await api.request({
    method: 'GET',
    path,
    query: { limit, 'instar.dev/showStoredVersion': true, ...(next !== '' && { continue: next }) },
    headers: { accept: ACCEPT },
    ...(signal && { signal }),
  });
  if (answer.status !== 200) {
    const error = apiErrorOf(answer.status, answer.body, `GET ${path}`);
    const offered = answer.status === 410 ? error.status.metadata.continue : undefined;
    if (!offered) throw error;
    return readPage(api, crd, version, { ...options, continue: offered });
  }
  const { items, metadata } = JSON.parse(Buffer.from(answer.body).toString()) as {
    readonly items?: readonly KubeObject[];
    readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  };
  return {
    items: (items ?? []).map((item) => item.metadata),
    continue: metadata.continue ?? '',
    remaining: metadata.remainingItemCount,
  };
}
