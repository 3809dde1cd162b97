// GET of a collection: selection, pages, and the revision that is listed.
import { apiErrors } from '@instar/machinery';
import type { ListPage } from '@instar/store';
import { representList } from '../../kinds/table/representation.ts';
import { CachedObject } from '../../objects/cached-object.ts';
import { type ReadOptions, readForms } from '../../objects/forms/read-forms.ts';
import type { Listing } from '../../objects/listing.ts';
import { type Selection, selectionOf } from '../../objects/selection.ts';
import { TimeSlice } from '../../objects/time-slice.ts';
import { tooLargeResourceVersion } from '../../objects/watch/resource-cache.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { COLLECTION, readOptions } from './answer.ts';
import { type ContinueToken, continueTokenFor, parseContinueToken } from './continue-token.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { type ListOptions, parseResourceVersion, readListOptions } from './options.ts';
import type { RequestScope } from './request-scope.ts';
import { SkippedObjects, skipsUnconvertible } from './skipped-objects.ts';
import { allAnnotated, showsStoredVersion } from './stored-version-annotation.ts';

export async function list(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version } = scope;
  const negotiated = negotiateScope(scope, COLLECTION);
  const options = readListOptions(request.query, false);
  const skipped = skipsUnconvertible(scope) ? new SkippedObjects() : undefined;
  const read = {
    ...readOptions(negotiated, scope),
    signal: request.signal,
    ...(skipped && { orStored: false, skip: skipped.add }),
  };
  const listing = await readListing(scope, options, read);
  const made = await readForms(resource.forms, listing.objects, version, read);
  skipped?.throwIfUnreachable();
  const forms = showsStoredVersion(scope) ? await allAnnotated(made, listing.objects) : made;
  if (skipped === undefined || skipped.count === 0)
    return representList(listing, forms, resource.definition, version, negotiated, request);
  request.warnings.push(...skipped.warnings(version.apiVersion));
  const shown = { ...listing, objects: listing.objects.filter((_, index) => forms[index] !== undefined) };
  return representList(shown, forms.filter(isMade), resource.definition, version, negotiated, request);
}

const isMade = (form: Uint8Array | undefined): form is Uint8Array => form !== undefined;

export async function readListing(
  scope: RequestScope,
  options: ListOptions,
  read: ReadOptions = {},
): Promise<Listing> {
  const slice = new TimeSlice();
  const selection = selectionOf(scope.resource, scope.version, options, scope.name, read);
  // Parsing a long selector takes as long as a slice.
  await slice.yieldIfOver();
  const start = await startOf(scope, options);
  const prefix = scope.resource.prefixOf(scope.namespace);
  if (start.exact !== undefined && scope.resource.cache.lastChange > start.exact) {
    return listFromStore(scope, options, selection, prefix, start.exact, start.token);
  }
  const revision = start.exact ?? scope.resource.cache.revision;
  const candidates = scope.resource.cache.slice(prefix, start.token && prefix + start.token.start);
  return page(candidates, selection, options, prefix, revision);
}

interface ListStart {
  /** List exactly this revision; without it, the current state of the cache. */
  readonly exact?: number;
  readonly token?: ContinueToken;
}

async function startOf(scope: RequestScope, options: ListOptions): Promise<ListStart> {
  const { cache } = scope.resource;
  if (options.continue !== '') {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw apiErrors.badRequest('specifying resource version is not allowed when using continue');
    }
    const token = parseContinueToken(options.continue);
    await cache.waitUntilFresh();
    if (token.revision > cache.revision) throw tooLargeResourceVersion(token.revision, cache.revision);
    return token.revision < 0 ? { token } : { exact: token.revision, token };
  }
  const revision = parseResourceVersion(options.resourceVersion, (text) =>
    apiErrors.badRequest(`invalid resource version: ${text}`),
  );
  if (revision === 0) {
    await (options.resourceVersion === '' ? cache.waitUntilFresh() : cache.waitUntilStarted());
    return {};
  }
  await cache.waitUntilAtLeast(revision);
  const isExact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  return isExact ? { exact: revision } : {};
}

async function page(
  candidates: CachedObject[],
  selection: Selection,
  options: ListOptions,
  prefix: string,
  revision: number,
): Promise<Listing> {
  const limit = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const { selected: objects, end } = await selection.select(candidates, limit);
  if (end >= candidates.length) return { objects, revision, continue: '', remaining: undefined };
  const last = candidates[end - 1]!;
  return {
    objects,
    revision,
    continue: continueTokenFor(revision, last.key.slice(prefix.length)),
    remaining: selection.isSelective ? undefined : candidates.length - end,
  };
}

/** Lists a past revision. Entries that have not changed since are taken from the cache with their forms. */
async function listFromStore(
  scope: RequestScope,
  options: ListOptions,
  selection: Selection,
  prefix: string,
  revision: number,
  token?: ContinueToken,
): Promise<Listing> {
  const { resource } = scope;
  try {
    // With a selection it is unknown how many objects must be looked at to fill the page.
    const limit = selection.isSelective || options.limit <= 0 ? undefined : options.limit;
    const stored = await resource.store.list({
      prefix,
      revision,
      ...(token && { after: prefix + token.start }),
      ...(limit !== undefined && { limit }),
    });
    const objects = stored.entries.map((entry) => {
      const cached = resource.cache.get(entry.key);
      return cached?.revision === entry.modRevision ? cached : CachedObject.fromEntry(entry);
    });
    if (limit !== undefined) return storedPage(stored, objects, prefix);
    return await page(objects, selection, options, prefix, revision);
  } catch (error) {
    throw expiredOr(error, scope, token);
  }
}

function storedPage(
  { more, remaining, revision }: ListPage,
  objects: CachedObject[],
  prefix: string,
): Listing {
  const last = objects.at(-1);
  if (!more || last === undefined) return { objects, revision, continue: '', remaining: undefined };
  return {
    objects,
    revision,
    continue: continueTokenFor(revision, last.key.slice(prefix.length)),
    remaining,
  };
}

const EXPIRED_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function expiredOr(error: unknown, scope: RequestScope, token: ContinueToken | undefined): unknown {
  const code = (error as { code?: unknown }).code;
  if (code === 'compacted' && token !== undefined)
    return apiErrors.expired(EXPIRED_CONTINUE, continueTokenFor(-1, token.start));
  if (code === 'compacted') return apiErrors.expired('The resourceVersion for the provided list is too old.');
  if (code === 'future-revision') return tooLargeResourceVersion(0, scope.resource.cache.revision);
  return error;
}
