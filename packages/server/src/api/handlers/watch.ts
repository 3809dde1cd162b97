// GET with watch=true: where the watch starts, and the representation of its events.
import { apiErrors } from '@instar/machinery';
import { eventRepresentation } from '../../kinds/table/representation.ts';
import { selectionOf } from '../../objects/selection.ts';
import { SKIP_UNCONVERTIBLE } from '../../objects/skip-unconvertible.ts';
import {
  type EventFormat,
  eventEncoder,
  JSON_EVENTS,
  PROTOBUF_EVENTS,
} from '../../objects/watch/event-encoder.ts';
import type { WatchStart } from '../../objects/watch/watch-stream.ts';
import type { ApiResponse, StreamBody } from '../../wire/exchange.ts';
import { type Negotiated, PROTOBUF } from '../../wire/negotiate.ts';
import { readOptions, WATCH } from './answer.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { errorWithoutReason, type ListOptions, parseResourceVersion, readListOptions } from './options.ts';
import type { RequestScope } from './request-scope.ts';
import { skipsUnconvertible } from './skipped-objects.ts';

/** There is no event when a webhook can convert an object again. */
const CANNOT_SKIP = `${SKIP_UNCONVERTIBLE} cannot be used with a watch, which could not report objects that can be converted again`;

export async function watch(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version, services } = scope;
  const negotiated = negotiateScope(scope, WATCH);
  const options = readListOptions(request.query, true);
  if (skipsUnconvertible(scope)) throw apiErrors.badRequest(CANNOT_SKIP);
  // The headers are sent before the first object is read, so that warnings would be lost.
  const { warn: _, ...read } = readOptions(negotiated, scope);
  const selection = selectionOf(resource, version, options, scope.name, read);
  const start = await startOf(scope, options);
  const format = negotiated.mediaType === PROTOBUF ? PROTOBUF_EVENTS : JSON_EVENTS;
  const encoder = encoderOf(scope, negotiated, format);
  const body = services.watches.watch({
    resource,
    version,
    prefix: resource.prefixOf(scope.namespace),
    selection,
    encoder,
    start,
    bookmarks: options.allowWatchBookmarks,
    onBegun: scope.request.onWatchBegun,
    timeoutMs: options.timeoutSeconds ? options.timeoutSeconds * 1000 : services.watches.defaultTimeoutMs(),
  });
  const opened = resource.definition.typed ? undefined : services.watchOpened;
  return {
    status: 200,
    headers: { 'content-type': format.contentType },
    body: opened === undefined ? body : reportingStream(body, () => opened(scope)),
  };
}

/** Reports when the stream begins and when it has ended. */
function reportingStream(body: StreamBody, begun: () => () => void): StreamBody {
  return {
    start(sink) {
      const end = body.start(sink);
      const ended = begun();
      return () => {
        ended();
        end();
      };
    },
  };
}

function encoderOf(scope: RequestScope, negotiated: Negotiated, format: EventFormat) {
  const { resource, version, services, request } = scope;
  const representation = eventRepresentation(version, negotiated, request);
  return eventEncoder(
    version.apiVersion,
    resource.definition.names.kind,
    services.watches.frames(resource),
    representation,
    format,
  );
}

async function startOf(scope: RequestScope, options: ListOptions): Promise<WatchStart> {
  const { cache } = scope.resource;
  const revision = parseResourceVersion(options.resourceVersion, errorWithoutReason);
  if (options.sendInitialEvents === true) {
    await (options.resourceVersion === '' ? cache.waitUntilFresh() : cache.waitUntilAtLeast(revision));
    return { from: 'state', endBookmark: options.allowWatchBookmarks };
  }
  if (revision === 0) {
    await (options.resourceVersion === '' ? cache.waitUntilFresh() : cache.waitUntilStarted());
    if (options.sendInitialEvents === false) return { from: 'revision', revision: cache.revision };
    return { from: 'state', endBookmark: false };
  }
  await cache.waitUntilStarted();
  return { from: 'revision', revision };
}
