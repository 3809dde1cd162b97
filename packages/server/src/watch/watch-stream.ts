// One client's watch: what is there or what has happened since, then what happens, in order, until somebody ends it.
// A client that does not keep up is closed, never waited for.
import { ApiError, encodeJson, type Status } from '@instar/machinery';
import type { Selection } from '../handlers/selection.ts';
import type { ByteSink, StreamBody } from '../http/exchange.ts';
import type { CachedObject } from '../resource/cached-object.ts';
import type { VersionDefinition } from '../resource/definition.ts';
import type { Resource } from '../resource/resource.ts';
import type { EventEncoder, WatchEventType } from './event-encoder.ts';
import type { CacheEvent, CacheListener } from './resource-cache.ts';

/** Where a watch begins. */
export type WatchStart =
  /** Everything that is there comes first, as ADDED. */
  | { readonly from: 'state'; readonly endBookmark: boolean }
  /** What happened after this revision comes first. */
  | { readonly from: 'revision'; readonly revision: number };

export interface WatchRequest {
  readonly resource: Resource;
  readonly version: VersionDefinition;
  readonly prefix: string;
  readonly selection: Selection;
  readonly encoder: EventEncoder;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

export interface WatchLimits {
  /** Events that may wait for conversion or for their turn. */
  readonly maxQueuedEvents: number;
  /** Bytes that may wait for the client to read. */
  readonly maxPendingBytes: number;
}

/** Told of what the watch does, for metrics and limits. */
export interface WatchObserver {
  opened(stream: WatchStream): void;
  closed(stream: WatchStream): void;
  sent(events: number, bytes: number): void;
  tooSlow(): void;
}

type Item =
  | CacheEvent
  | { readonly type: 'state'; readonly objects: CachedObject[] }
  | { readonly type: 'bookmark'; readonly revision: number; readonly initialEnd: boolean };

/** Initial events are put together into chunks of about this size. */
const CHUNK_BYTES = 64 * 1024;

export class WatchStream implements StreamBody, CacheListener {
  readonly #request: WatchRequest;
  readonly #limits: WatchLimits;
  readonly #observer: WatchObserver;
  #sink: ByteSink | undefined;
  #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #queue: Item[] = [];
  #pumping = false;
  #closed = false;
  /** Events up to this revision are known to the client. */
  #after = 0;

  constructor(request: WatchRequest, limits: WatchLimits, observer: WatchObserver) {
    this.#request = request;
    this.#limits = limits;
    this.#observer = observer;
  }

  start(sink: ByteSink): () => void {
    this.#sink = sink;
    this.#observer.opened(this);
    this.#timer = setTimeout(() => this.end(), this.#request.timeoutMs);
    this.#timer.unref();
    this.#begin();
    return () => this.#close();
  }

  /** Ends the watch as its timeout would: the client comes back with the last resourceVersion it has seen. */
  end(): void {
    if (this.#closed) return;
    this.#sink?.end();
    this.#close();
  }

  onEvent(event: CacheEvent): void {
    if (event.revision > this.#after && event.object.key.startsWith(this.#request.prefix)) this.#add(event);
  }

  onReset(): void {
    this.end();
  }

  /** Tells the client how far the resource has come, if it wants to know. */
  bookmark(): void {
    if (this.#request.bookmarks && !this.#closed && this.#queue.length === 0) {
      this.#add({ type: 'bookmark', revision: this.#request.resource.cache.revision, initialEnd: false });
    }
  }

  #begin(): void {
    const { resource, start, prefix } = this.#request;
    const { cache } = resource;
    if (start.from === 'state') {
      this.#add({ type: 'state', objects: cache.slice(prefix) });
      if (start.endBookmark) this.#add({ type: 'bookmark', revision: cache.revision, initialEnd: true });
    } else {
      this.#after = start.revision;
      const events = cache.eventsAfter(start.revision);
      if (events === undefined) {
        this.#replay(start.revision).catch((error: unknown) => this.#fail(error));
        return;
      }
      for (const event of events) this.onEvent(event);
    }
    this.#unsubscribe = cache.subscribe(this);
  }

  /** History that is no longer in memory comes from the store, and what happened meanwhile from memory again. */
  async #replay(revision: number): Promise<void> {
    const { cache } = this.#request.resource;
    for (let reached = revision; !this.#closed; ) {
      const recent = cache.eventsAfter(reached);
      if (recent !== undefined) {
        for (const event of recent) this.onEvent(event);
        this.#unsubscribe = cache.subscribe(this);
        return;
      }
      const { events, upTo } = await cache.readHistory(reached);
      for (const event of events) this.onEvent(event);
      reached = upTo;
    }
  }

  #add(item: Item): void {
    if (this.#closed) return;
    if (this.#queue.length >= this.#limits.maxQueuedEvents && item.type !== 'state') {
      this.#giveUp();
      return;
    }
    this.#queue.push(item);
    if (!this.#pumping) this.#pump();
  }

  /** Works the queue off without leaving this turn of the event loop, as long as nothing must be waited for. */
  #pump(): void {
    this.#pumping = true;
    while (!this.#closed) {
      const item = this.#queue.shift();
      if (item === undefined) break;
      const waiting = this.#process(item);
      if (waiting !== undefined) {
        waiting.then(
          () => this.#pump(),
          (error: unknown) => this.#fail(error),
        );
        return;
      }
    }
    this.#pumping = false;
  }

  #process(item: Item): Promise<void> | undefined {
    switch (item.type) {
      case 'state':
        return this.#sendState(item.objects);
      case 'bookmark':
        this.#write(this.#request.encoder.bookmark(item.revision, item.initialEnd), 0);
        return undefined;
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        return this.#sendEvent(item);
    }
  }

  #sendEvent(event: CacheEvent): Promise<void> | undefined {
    const { selection, resource, version } = this.#request;
    if (!selection.selects) return this.#sendForm(event.type, event.object, event);
    if (!selection.needsForm) return this.#sendSelected(event);
    const involved = event.previous === undefined ? [event.object] : [event.object, event.previous];
    if (involved.every((object) => resource.formNow(object, version) !== undefined)) return this.#sendSelected(event);
    return resource.forms(involved, version).then(() => this.#sendSelected(event));
  }

  /** An object that enters the selection is ADDED, one that leaves it DELETED: with its last selected state, at the revision of the change. */
  #sendSelected(event: CacheEvent): Promise<void> | undefined {
    const { selection } = this.#request;
    const now = event.type !== 'DELETED' && selection.matchesNow(event.object);
    const before = event.previous !== undefined && selection.matchesNow(event.previous);
    if (now) return this.#sendForm(before ? 'MODIFIED' : 'ADDED', event.object, event);
    if (!before) return undefined;
    return this.#sendForm('DELETED', event.type === 'DELETED' ? event.object : event.previous!.atRevision(event.revision), event);
  }

  #sendForm(type: WatchEventType, object: CachedObject, event: CacheEvent): Promise<void> | undefined {
    const { resource, version, encoder } = this.#request;
    const form = resource.formNow(object, version);
    if (form !== undefined) {
      this.#write(encoder.event(type, form, event), 1);
      return undefined;
    }
    return resource.form(object, version).then((made) => this.#write(encoder.event(type, made, event), 1));
  }

  async #sendState(objects: CachedObject[]): Promise<void> {
    const { selection, resource, version, encoder } = this.#request;
    const matches = await selection.matcher(objects);
    const selected = objects.filter(matches);
    const forms = await resource.forms(selected, version);
    let chunk: Uint8Array[] = [];
    let bytes = 0;
    for (const form of forms) {
      const frame = encoder.event('ADDED', form, undefined);
      chunk.push(frame);
      bytes += frame.byteLength;
      if (bytes < CHUNK_BYTES) continue;
      this.#sink?.write(Buffer.concat(chunk));
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) this.#sink?.write(Buffer.concat(chunk));
    this.#observer.sent(forms.length, bytes);
  }

  #write(frame: Uint8Array, events: number): void {
    if (this.#closed || this.#sink === undefined) return;
    if (this.#sink.pending > this.#limits.maxPendingBytes) {
      this.#giveUp();
      return;
    }
    this.#sink.write(frame);
    this.#observer.sent(events, frame.byteLength);
  }

  #fail(error: unknown): void {
    const status: Status =
      error instanceof ApiError
        ? error.status
        : {
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            message: 'the watch failed',
            reason: 'InternalError',
            code: 500,
          };
    if (!this.#closed) this.#sink?.write(Buffer.from(`${encodeJson({ type: 'ERROR', object: status })}\n`));
    this.end();
  }

  #giveUp(): void {
    this.#observer.tooSlow();
    this.#sink?.destroy();
    this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue = [];
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#observer.closed(this);
  }
}
