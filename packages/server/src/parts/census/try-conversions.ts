// Which objects could not be converted to a version: tried when somebody asks, for so many objects at a time.
import { isFailure } from '@instar/convert';
import { apiErrors } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;
/** Forms are made, and let go, so many at a time. */
const BATCH = 500;

export interface TriedConversions {
  readonly to: string;
  /** Objects that are stored in another version, and were tried. */
  readonly tried: number;
  /** Send it back as `continue` to go on; absent when all have been tried. */
  readonly continue?: string;
  readonly failures: readonly {
    readonly namespace?: string;
    readonly name: string;
    readonly version: string;
    readonly reason: string;
  }[];
}

/** `query` may hold `to` (a version; that of storage without it), `limit` and `continue`. */
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
  for (let at = 0; at < tried.length; at += BATCH) {
    const batch = tried.slice(at, at + BATCH);
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
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
}

function failureOf({ metadata, storedApiVersion }: CachedObject, reason: string) {
  const { name = '', namespace } = metadata;
  const version = storedApiVersion.slice(storedApiVersion.indexOf('/') + 1);
  return { ...(namespace !== undefined && { namespace }), name, version, reason };
}
