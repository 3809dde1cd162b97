// One client's watch: what is there or what has happened since, then what happens, in order, until somebody
// ends it. A client that does not keep up is closed, never waited for.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, apiErrors } from '@instar/machinery';
import { apiErrorOf } from '../../wire/api-error-of.ts';
import type { ByteSink, StreamBody } from '../../wire/exchange.ts';
import type { CachedObject } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import { readForm, readForms } from '../forms/read-forms.ts';
import type { Resource } from '../resource.ts';
import type { Selection } from '../selection.ts';
import type { CacheEvent } from './cache-event.ts';
import type { EventEncoder, WatchEventType } from './event-encoder.ts';
import type { CacheListener } from './resource-cache.ts';
import { transitionOf } from './transition.ts';

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
  /** For a reason of our own, or of the store's. */
  failed(error: unknown): void;
}

type Item =
  | CacheEvent
  | { readonly type: 'bookmark'; readonly revision: number; readonly initialEnd: boolean };

/** Initial events are put together into chunks of about this size. */
const CHUNK_BYTES = 64 * 1024;
/** Objects whose initial events are made in one go. */
const STATE_SLICE = 500;
/** What came before goes out no faster than the client takes it: no more than this waits for it. */
const CATCH_UP_BYTES = 256 * 1024;
/** So few events are sent without looking whether the client keeps up. */
const CATCH_UP_EVENTS = 100;
/** A client that takes nothing for so long is too slow. */
const STALLED_MS = 30_000;
/** setTimeout fires at once beyond this. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

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
    this.#timer = setTimeout(() => this.end(), Math.min(this.#request.timeoutMs, LONGEST_TIMEOUT_MS));
    this.#timer.unref();
    this.#begin().catch((error: unknown) => this.#fail(error));
    return () => this.#close();
  }

  /** Ends the watch as its timeout would: the client comes back with the last resourceVersion it has seen. */
  end(): void {
    if (this.#closed) return;
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
   * Tells the client how far the resource has come, if it wants to know, and has been told of everything up
   * to there.
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
   * Sends what happened after `revision`, from the store's history where memory has forgotten it, then
   * subscribes to what happens.
   */
  async #catchUp(revision: number): Promise<void> {
    const { cache } = this.#request.resource;
    this.#after = revision;
    for (let reached = revision; !this.#closed; ) {
      const recent = cache.eventsAfter(reached);
      if (recent !== undefined && this.#isLittle(recent)) {
        for (const event of recent) this.onEvent(event);
        if (!this.#closed) this.#unsubscribe = cache.subscribe(this);
        return;
      }
      const { events, upTo } =
        recent === undefined
          ? await cache.readHistory(reached)
          : { events: recent, upTo: recent.at(-1)!.revision };
      await this.#sendInTurn(events);
      reached = upTo;
    }
  }

  #isLittle(events: readonly CacheEvent[]): boolean {
    if (events.length > CATCH_UP_EVENTS) return false;
    return events.reduce((bytes, { object }) => bytes + object.raw.byteLength, 0) <= this.#catchUpBytes;
  }

  get #catchUpBytes(): number {
    return Math.min(CATCH_UP_BYTES, this.#limits.maxPendingBytes / 2);
  }

  async #sendInTurn(events: readonly CacheEvent[]): Promise<void> {
    for (const event of events) {
      if (this.#closed) return;
      if (this.#concerns(event)) await this.#process(event);
      await this.#taken();
    }
  }

  /** Waits until the client has taken most of what was sent. */
  async #taken(): Promise<void> {
    if (this.#closed || this.#sink === undefined || this.#sink.pending <= this.#catchUpBytes) return;
    const stalled = setTimeout(() => this.#giveUp(), STALLED_MS);
    stalled.unref();
    await this.#sink.drained();
    clearTimeout(stalled);
  }

  #add(item: Item): void {
    if (this.#closed) return;
    if (this.#queue.length >= this.#limits.maxQueuedEvents) {
      this.#giveUp();
      return;
    }
    this.#queue.push(item);
    if (!this.#pumping) this.#pump();
  }

  /**
   * Works the queue off without leaving this turn of the event loop, as long as nothing must be waited for.
   */
  #pump(): void {
    this.#pumping = true;
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
      // Whoever tells us of events has others to tell of them too.
      this.#fail(error);
    }
    this.#pumping = false;
  }

  #process(item: Item): Promise<void> | undefined {
    if (!this.#isDefinedAsBefore()) {
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
   * When the definition has changed so that objects look different now, the watch ends, and the client comes
   * back for the new look.
   */
  #isDefinedAsBefore(): boolean {
    const { resource, version } = this.#request;
    const now = resource.version(version.apiVersion);
    return now === version || (now?.served === true && now.schema === version.schema);
  }

  #sendEvent(event: CacheEvent): Promise<void> | undefined {
    const { selection, resource, version } = this.#request;
    const seen = event.previous === undefined ? [event.object] : [event.object, event.previous];
    const involved = seen.filter((object) => selection.needsForm(object));
    if (involved.every((object) => resource.forms.ifPossible(object, version) !== undefined))
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
    const form = resource.forms.ifPossible(object, version);
    if (form !== undefined) {
      this.#write(encoder.event(type, form, event), 1);
      return undefined;
    }
    return this.#made(object).then((made) => this.#write(encoder.event(type, made, event), 1));
  }

  /** A form that has to be waited for: those of the events behind it are made at the same time. */
  async #made(object: CachedObject): Promise<Uint8Array> {
    const { resource, version, selection } = this.#request;
    const behind = this.#queue.flatMap((item) => (item.type === 'bookmark' ? [] : [item.object]));
    if (behind.length > 0)
      await resource.forms.outcomes([object, ...behind], version, { briefly: selection.read.orStored });
    return readForm(resource.forms, object, version, selection.read);
  }

  /** What is there, as ADDED; the revision at which it was there. */
  async #sendState(endBookmark: boolean): Promise<number> {
    const { selection, resource, version, prefix, encoder } = this.#request;
    const { revision } = resource.cache;
    const objects = resource.cache.slice(prefix);
    const matches = await selection.matcher(objects);
    const selected = objects.filter(matches);
    for (let from = 0; from < selected.length && !this.#closed; from += STATE_SLICE) {
      const forms = await readForms(
        resource.forms,
        selected.slice(from, from + STATE_SLICE),
        version,
        selection.read,
      );
      await this.#sendAdded(forms);
      if (from + STATE_SLICE < selected.length) await nextTurn();
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
      await this.#taken();
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) this.#write(Buffer.concat(chunk), chunk.length);
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
    if (this.#closed) return;
    if (!(error instanceof ApiError)) this.#observer.failed(error);
    const { status } =
      apiErrorOf(error) ?? apiErrors.internal('the watch failed; the log of the server says why');
    this.#sink?.write(this.#request.encoder.error(status));
    this.end();
  }

  #giveUp(): void {
    if (this.#closed) return;
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
