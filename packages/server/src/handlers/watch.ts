// GET with watch=true: where the watch begins, and in which shape its events come.
import type { ApiResponse } from '../http/exchange.ts';
import { type Negotiated, negotiate } from '../http/negotiate.ts';
import { eventShape } from '../table/shape.ts';
import { eventEncoder } from '../watch/event-encoder.ts';
import type { WatchStart } from '../watch/watch-stream.ts';
import { WATCH } from './answer.ts';
import { type ListOptions, parseResourceVersion, readListOptions, unexplained } from './options.ts';
import type { Scope } from './scope.ts';
import { selectionOf } from './selection.ts';

/** Upstream ends a watch after 30 to 60 minutes when the client does not say, so that connections move between servers. */
const MIN_TIMEOUT_SECONDS = 1800;

export async function watch(scope: Scope): Promise<ApiResponse> {
  const { request, resource, version, services } = scope;
  const negotiated = negotiate(request, WATCH);
  const options = readListOptions(request.query, true);
  const selection = selectionOf(resource, version, options, scope.name);
  const start = await startOf(scope, options);
  const timeoutSeconds = options.timeoutSeconds || MIN_TIMEOUT_SECONDS * (1 + Math.random());
  const encoder = encoderOf(scope, negotiated);
  const body = services.watches.watch({
    resource,
    version,
    prefix: resource.prefixOf(scope.namespace),
    selection,
    encoder,
    start,
    bookmarks: options.allowWatchBookmarks,
    timeoutMs: timeoutSeconds * 1000,
  });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function encoderOf(scope: Scope, negotiated: Negotiated) {
  const { resource, version, services, request } = scope;
  const shape = eventShape(version, negotiated, request);
  return eventEncoder(version.apiVersion, resource.definition.names.kind, services.watches.frames(resource), shape);
}

async function startOf(scope: Scope, options: ListOptions): Promise<WatchStart> {
  const { cache } = scope.resource;
  const revision = parseResourceVersion(options.resourceVersion, unexplained);
  if (options.sendInitialEvents === true) {
    await (options.resourceVersion === '' ? cache.fresh() : cache.atLeast(revision));
    return { from: 'state', endBookmark: options.allowWatchBookmarks };
  }
  if (revision === 0) {
    await (options.resourceVersion === '' ? cache.fresh() : cache.started());
    if (options.sendInitialEvents === false) return { from: 'revision', revision: cache.revision };
    return { from: 'state', endBookmark: false };
  }
  await cache.started();
  return { from: 'revision', revision };
}
