// Watch events as bytes. An event is encoded once per version and representation, and the bytes are shared by
// all watchers.
import { encodeJson, type JsonObject, type Status } from '@instar/machinery';
import { PROTOBUF } from '../../wire/negotiate.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import { encodeWatchFrame } from '../../wire/protobuf/encode.ts';
import type { CacheEvent } from './cache-event.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface EventEncoder {
  /** `source` identifies the event among watchers; undefined for the initial state, which is not shared. */
  event(type: WatchEventType, form: Uint8Array, source: CacheEvent | undefined): Uint8Array;
  bookmark(revision: number, initialEnd: boolean): Uint8Array;
  error(status: Status): Uint8Array;
}

/** The encoding of events in the stream. */
export interface EventFormat {
  readonly contentType: string;
  frame(type: WatchEventType | 'BOOKMARK' | 'ERROR', object: object): Uint8Array;
}

export const JSON_EVENTS: EventFormat = {
  contentType: 'application/json',
  frame: (type, object) => Buffer.from(`${encodeJson({ type, object })}\n`),
};

export const PROTOBUF_EVENTS: EventFormat = {
  contentType: `${PROTOBUF};stream=watch`,
  frame: encodeWatchFrame,
};

/** Watchers get an event within one turn of the event loop, so few need to be cached. */
const MAX_CACHED_EVENTS = 64;

/** The frames of the newest events. */
export class FrameCache {
  readonly #frames = new Map<CacheEvent, Map<string, Uint8Array>>();

  frame(source: CacheEvent, key: string, make: () => Uint8Array): Uint8Array {
    let frames = this.#frames.get(source);
    if (frames === undefined) {
      frames = new Map();
      this.#frames.set(source, frames);
      if (this.#frames.size > MAX_CACHED_EVENTS) this.#frames.delete(this.#frames.keys().next().value!);
    }
    let bytes = frames.get(key);
    if (bytes === undefined) {
      bytes = make();
      frames.set(key, bytes);
    }
    return bytes;
  }
}

const END = Buffer.from('}\n');
const HEADS = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
} as const;

const frameOf = (type: WatchEventType, object: Uint8Array): Uint8Array =>
  Buffer.concat([HEADS[type], object, END]);

/** Another representation of objects than the objects themselves. */
export interface EventRepresentation {
  /** Distinguishes representations of one version in the cache of frames. */
  readonly key: string;
  /** False if the first event differs from the others (Tables): events are then encoded for each watcher. */
  readonly isShared: boolean;
  represent(object: JsonObject): object;
}

export function eventEncoder(
  apiVersion: string,
  kind: string,
  frames: FrameCache,
  representation?: EventRepresentation,
  format: EventFormat = JSON_EVENTS,
): EventEncoder {
  const represented = (object: JsonObject): object =>
    representation === undefined ? object : representation.represent(object);
  const make = (type: WatchEventType, form: Uint8Array): Uint8Array =>
    representation === undefined && format === JSON_EVENTS
      ? frameOf(type, form)
      : format.frame(type, represented(parseOwnBytes(form)));
  const suffix = `${apiVersion} ${format.contentType} ${representation?.key ?? ''}`;
  return {
    event(type, form, source) {
      if (source === undefined || representation?.isShared === false) return make(type, form);
      return frames.frame(source, `${type} ${suffix}`, () => make(type, form));
    },
    bookmark(revision, initialEnd) {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
      };
      return format.frame('BOOKMARK', represented({ kind, apiVersion, metadata }));
    },
    error: (status) => format.frame('ERROR', status),
  };
}
