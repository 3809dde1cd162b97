// Tries which objects cannot be converted to a version, for a limited number of objects per request.
import { isFailure } from '@instar/convert';
import { apiErrors } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';

const DEFAULT_OBJECTS = 1_000;
const MAX_OBJECTS = 10_000;
/** Limits the forms that are held in memory. */
const BATCH_OBJECTS = 500;

interface TriedConversions {
  readonly to: string;
  /** Objects that are stored in another version, and were tried. */
  readonly tried: number;
  /** To be sent as `continue` in the next request; absent when all have been tried. */
  readonly continue?: string;
  readonly failures: readonly {
    readonly namespace?: string;
    readonly name: string;
    readonly version: string;
    readonly reason: string;
  }[];
}

/** `query` may have `to` (a version; the storage version by default), `limit` and `continue`. */
export async function tryConversions(resource: Resource, query: URLSearchParams): Promise<TriedConversions> {
  const { group, storageApiVersion } = resource.definition;
  const apiVersion = query.has('to') ? `${group}/${query.get('to')}` : storageApiVersion;
  const version = resource.version(apiVersion);
  if (version === undefined) throw apiErrors.badRequest(`there is no version ${apiVersion}`);
  await resource.cache.waitUntilFresh();
  const after = query.get('continue');
  const others = resource.cache
    .slice(resource.prefix, after === null ? undefined : resource.prefix + after)
    .filter(({ storedApiVersion }) => storedApiVersion !== apiVersion);
  const tried = others.slice(0, limitOf(query));
  const failures: TriedConversions['failures'][number][] = [];
  for (let at = 0; at < tried.length; at += BATCH_OBJECTS) {
    const batch = tried.slice(at, at + BATCH_OBJECTS);
    for (const [index, outcome] of (await resource.forms.outcomes(batch, version)).entries())
      if (isFailure(outcome!)) failures.push(failureOf(batch[index]!, outcome.message));
  }
  const last = tried.length < others.length ? tried.at(-1) : undefined;
  return {
    to: version.version,
    tried: tried.length,
    ...(last !== undefined && { continue: last.key.slice(resource.prefix.length) }),
    failures,
  };
}

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? DEFAULT_OBJECTS);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_OBJECTS) : DEFAULT_OBJECTS;
}

function failureOf({ metadata, storedApiVersion }: CachedObject, reason: string) {
  const { name = '', namespace } = metadata;
  const version = storedApiVersion.slice(storedApiVersion.indexOf('/') + 1);
  return { ...(namespace !== undefined && { namespace }), name, version, reason };
}
