// The watch of one client: first the current state, or the events since a revision, then events as they
// happen, in order. A client that does not keep up is disconnected, never waited for.
import { ApiError, apiErrors } from '@instar/machinery';
import { apiErrorOf } from '../../wire/api-error-of.ts';
import type { ByteSink, StreamBody } from '../../wire/exchange.ts';
import type { CachedObject } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import { readForm, readForms } from '../forms/read-forms.ts';
import type { Resource } from '../resource.ts';
import type { Selection } from '../selection.ts';
import { nextSlice } from '../time-slice.ts';
import type { CacheEvent } from './cache-event.ts';
import type { EventEncoder, WatchEventType } from './event-encoder.ts';
import type { CacheListener } from './resource-cache.ts';
import { transitionOf } from './transition.ts';

/** What a watch sends first. */
export type WatchStart =
  /** All objects, as ADDED. */
  | { readonly from: 'state'; readonly endBookmark: boolean }
  /** The events after this revision. */
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
  /** Called when the initial events were sent. */
  readonly onBegun?: (() => void) | undefined;
}

export interface WatchLimits {
  /** Events that may wait for conversion or for their turn. */
  readonly maxQueuedEvents: number;
  /** Bytes that may wait for the client to read. */
  readonly maxPendingBytes: number;
}

/** Notified of what the watch does, for metrics and limits. */
export interface WatchObserver {
  opened(stream: WatchStream): void;
  closed(stream: WatchStream): void;
  sent(events: number, bytes: number): void;
  tooSlow(): void;
  /** Because of an error of the server or the store. */
  failed(error: unknown): void;
}

type Item =
  | CacheEvent
  | { readonly type: 'bookmark'; readonly revision: number; readonly initialEnd: boolean };

/** Initial events are sent in chunks of about this size. */
const CHUNK_BYTES = 64 * 1024;
/** Objects whose initial events are made in one step. */
const SLICE_OBJECTS = 500;
/** Past events are sent no faster than the client reads them: at most this is pending. */
const MAX_CATCH_UP_BYTES = 256 * 1024;
/** Up to this many events are sent without checking whether the client keeps up. */
const MAX_UNPACED_EVENTS = 100;
/** A client that reads nothing for this long is too slow. */
const MAX_STALLED_MS = 30_000;
/** Beyond this, setTimeout fires immediately. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export class WatchStream implements StreamBody, CacheListener {
  readonly #request: WatchRequest;
  readonly #limits: WatchLimits;
  readonly #observer: WatchObserver;
  #sink: ByteSink | undefined;
  #unsubscribe: (() => void) | undefined;
  #unregister: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #queue: Item[] = [];
  #isPumping = false;
  #isClosed = false;
  /** The client has the events up to this revision. */
  #after = 0;

  constructor(request: WatchRequest, limits: WatchLimits, observer: WatchObserver) {
    this.#request = request;
    this.#limits = limits;
    this.#observer = observer;
  }

  start(sink: ByteSink): () => void {
    this.#sink = sink;
    this.#observer.opened(this);
    this.#timer = setTimeout(() => this.end(), Math.min(this.#request.timeoutMs, MAX_TIMEOUT_MS));
    this.#timer.unref();
    this.#unregister = this.#request.resource.onRestart(() => this.end());
    this.#begin()
      .catch((error: unknown) => this.#fail(error))
      .finally(this.#request.onBegun);
    return () => this.#close();
  }

  /** Ends the watch as its timeout would: the client reconnects with the last resourceVersion it has seen. */
  end(): void {
    if (this.#isClosed) return;
    this.#sink?.end();
    this.#close();
  }

  onEvent(event: CacheEvent): void {
    if (this.#concerns(event)) this.#add(event);
  }

  #concerns({ revision, object }: CacheEvent): boolean {
    return revision > this.#after && object.key.startsWith(this.#request.prefix);
  }

  onReset(): void {
    this.end();
  }

  /**
   * Sends the revision that the resource has reached, if the client wants bookmarks and has got every event
   * up to there.
   */
  bookmark(): void {
    const { revision } = this.#request.resource.cache;
    if (
      !this.#request.bookmarks ||
      this.#unsubscribe === undefined ||
      this.#queue.length > 0 ||
      revision < this.#after
    )
      return;
    this.#add({ type: 'bookmark', revision, initialEnd: false });
  }

  async #begin(): Promise<void> {
    const { start } = this.#request;
    await this.#catchUp(start.from === 'state' ? await this.#sendState(start.endBookmark) : start.revision);
  }

  /**
   * Sends the events after `revision`, from the store's history if they are no longer in memory, then
   * subscribes to the cache.
   */
  async #catchUp(revision: number): Promise<void> {
    const { cache } = this.#request.resource;
    this.#after = revision;
    for (let reached = revision; !this.#isClosed; ) {
      const recent = cache.eventsAfter(reached);
      if (recent !== undefined && this.#isSmall(recent)) {
        for (const event of recent) this.onEvent(event);
        if (!this.#isClosed) this.#unsubscribe = cache.subscribe(this);
        return;
      }
      const { events, upTo } =
        recent === undefined
          ? await cache.readHistory(reached)
          : { events: recent, upTo: recent.at(-1)!.revision };
      await this.#sendPaced(events);
      reached = upTo;
    }
  }

  #isSmall(events: readonly CacheEvent[]): boolean {
    if (events.length > MAX_UNPACED_EVENTS) return false;
    return events.reduce((bytes, { object }) => bytes + object.raw.byteLength, 0) <= this.#catchUpBytes;
  }

  get #catchUpBytes(): number {
    return Math.min(MAX_CATCH_UP_BYTES, this.#limits.maxPendingBytes / 2);
  }

  async #sendPaced(events: readonly CacheEvent[]): Promise<void> {
    for (const event of events) {
      if (this.#isClosed) return;
      if (this.#concerns(event)) await this.#process(event);
      await this.#waitForClient();
    }
  }

  /** Waits until the client has read most of what was sent. */
  async #waitForClient(): Promise<void> {
    if (this.#isClosed || this.#sink === undefined || this.#sink.pending <= this.#catchUpBytes) return;
    const stalled = setTimeout(() => this.#disconnect(), MAX_STALLED_MS);
    stalled.unref();
    await this.#sink.drained();
    clearTimeout(stalled);
  }

  #add(item: Item): void {
    if (this.#isClosed) return;
    if (this.#queue.length >= this.#limits.maxQueuedEvents) {
      this.#disconnect();
      return;
    }
    this.#queue.push(item);
    if (!this.#isPumping) this.#pump();
  }

  /** Processes the queue within this turn of the event loop, as long as nothing must be waited for. */
  #pump(): void {
    this.#isPumping = true;
    try {
      for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
        const waiting = this.#process(item);
        if (waiting === undefined) continue;
        waiting.then(
          () => this.#pump(),
          (error: unknown) => this.#fail(error),
        );
        return;
      }
    } catch (error) {
      // Not thrown: the cache has other listeners to notify.
      this.#fail(error);
    }
    this.#isPumping = false;
  }

  #process(item: Item): Promise<void> | undefined {
    if (!this.#isDefinitionUnchanged()) {
      this.end();
      return undefined;
    }
    switch (item.type) {
      case 'bookmark':
        this.#write(this.#request.encoder.bookmark(item.revision, item.initialEnd), 0);
        return undefined;
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        return this.#sendEvent(item);
    }
  }

  /**
   * If the definition has changed so that objects look different, the watch ends, and the client reconnects.
   */
  #isDefinitionUnchanged(): boolean {
    const { resource, version } = this.#request;
    const now = resource.version(version.apiVersion);
    return now === version || (now?.served === true && now.schema === version.schema);
  }

  #sendEvent(event: CacheEvent): Promise<void> | undefined {
    const { selection, resource, version } = this.#request;
    const seen = event.previous === undefined ? [event.object] : [event.object, event.previous];
    const involved = seen.filter((object) => selection.needsForm(object));
    if (involved.every((object) => resource.forms.formIfPossible(object, version) !== undefined))
      return this.#sendTransition(event);
    return readForms(resource.forms, involved, version, selection.read).then(() =>
      this.#sendTransition(event),
    );
  }

  #sendTransition(event: CacheEvent): Promise<void> | undefined {
    const transition = transitionOf(event, this.#request.selection);
    return transition && this.#sendForm(transition.type, transition.object, event);
  }

  #sendForm(type: WatchEventType, object: CachedObject, event: CacheEvent): Promise<void> | undefined {
    const { resource, version, encoder } = this.#request;
    const form = resource.forms.formIfPossible(object, version);
    if (form !== undefined) {
      this.#write(encoder.event(type, form, event), 1);
      return undefined;
    }
    return this.#waitForForm(object).then((made) => this.#write(encoder.event(type, made, event), 1));
  }

  /** The forms of the events queued behind it are made at the same time. */
  async #waitForForm(object: CachedObject): Promise<Uint8Array> {
    const { resource, version, selection } = this.#request;
    const behind = this.#queue.flatMap((item) => (item.type === 'bookmark' ? [] : [item.object]));
    if (behind.length > 0)
      await resource.forms.outcomes([object, ...behind], version, { briefly: selection.read.orStored });
    return readForm(resource.forms, object, version, selection.read);
  }

  /** Sends all selected objects as ADDED; returns the revision of that state. */
  async #sendState(endBookmark: boolean): Promise<number> {
    const { selection, resource, version, prefix, encoder } = this.#request;
    const { revision } = resource.cache;
    const { selected } = await selection.select(resource.cache.slice(prefix));
    for (let from = 0; from < selected.length && !this.#isClosed; from += SLICE_OBJECTS) {
      const forms = await readForms(
        resource.forms,
        selected.slice(from, from + SLICE_OBJECTS),
        version,
        selection.read,
      );
      await this.#sendAdded(forms);
      if (from + SLICE_OBJECTS < selected.length) await nextSlice();
    }
    if (endBookmark) this.#write(encoder.bookmark(revision, true), 0);
    return revision;
  }

  async #sendAdded(forms: readonly Uint8Array[]): Promise<void> {
    let chunk: Uint8Array[] = [];
    let bytes = 0;
    for (const form of forms) {
      const frame = this.#request.encoder.event('ADDED', form, undefined);
      chunk.push(frame);
      bytes += frame.byteLength;
      if (bytes < CHUNK_BYTES) continue;
      this.#write(Buffer.concat(chunk), chunk.length);
      await this.#waitForClient();
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) this.#write(Buffer.concat(chunk), chunk.length);
  }

  #write(frame: Uint8Array, events: number): void {
    if (this.#isClosed || this.#sink === undefined) return;
    if (this.#sink.pending > this.#limits.maxPendingBytes) {
      this.#disconnect();
      return;
    }
    this.#sink.write(frame);
    this.#observer.sent(events, frame.byteLength);
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    if (!(error instanceof ApiError)) this.#observer.failed(error);
    const { status } = apiErrorOf(error) ?? apiErrors.internal('the watch failed; see the log of the server');
    this.#sink?.write(this.#request.encoder.error(status));
    this.end();
  }

  #disconnect(): void {
    if (this.#isClosed) return;
    this.#observer.tooSlow();
    this.#sink?.destroy();
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue = [];
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#unregister?.();
    this.#observer.closed(this);
  }
}
