// Watch events as bytes. An event is encoded once per version and shape, and the bytes are shared by all who
// watch it.
import { encodeJson, type JsonObject, type Status } from '@instar/machinery';
import { PROTOBUF } from '../../wire/negotiate.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import { encodeWatchFrame } from '../../wire/protobuf/encode.ts';
import type { CacheEvent } from './cache-event.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface EventEncoder {
  /** `source` identifies the event among watchers; undefined for the initial state, which nobody shares. */
  event(type: WatchEventType, form: Uint8Array, source: CacheEvent | undefined): Uint8Array;
  bookmark(revision: number, initialEnd: boolean): Uint8Array;
  error(status: Status): Uint8Array;
}

/** How events stand in the stream. */
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

/**
 * The frames of the newest events. Watchers get an event within one turn of the event loop, so few need be
 * kept.
 */
export class FrameCache {
  readonly #frames = new Map<CacheEvent, Map<string, Uint8Array>>();
  static readonly #capacity = 64;

  frame(source: CacheEvent, key: string, make: () => Uint8Array): Uint8Array {
    let frames = this.#frames.get(source);
    if (frames === undefined) {
      frames = new Map();
      this.#frames.set(source, frames);
      if (this.#frames.size > FrameCache.#capacity) this.#frames.delete(this.#frames.keys().next().value!);
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

/** What turns an object into its shape: undefined for the object as it is. */
export interface EventShape {
  /** Distinguishes shapes of one version in the cache of frames. */
  readonly key: string;
  /** A shape whose first event differs from the others (Tables) is encoded for each watcher. */
  readonly shared: boolean;
  shape(object: JsonObject): object;
}

export function eventEncoder(
  apiVersion: string,
  kind: string,
  frames: FrameCache,
  shape?: EventShape,
  format: EventFormat = JSON_EVENTS,
): EventEncoder {
  const shaped = (object: JsonObject): object => (shape === undefined ? object : shape.shape(object));
  const make = (type: WatchEventType, form: Uint8Array): Uint8Array =>
    shape === undefined && format === JSON_EVENTS
      ? frameOf(type, form)
      : format.frame(type, shaped(parseOwnBytes(form)));
  const suffix = `${apiVersion} ${format.contentType} ${shape?.key ?? ''}`;
  return {
    event(type, form, source) {
      if (source === undefined || shape?.shared === false) return make(type, form);
      return frames.frame(source, `${type} ${suffix}`, () => make(type, form));
    },
    bookmark(revision, initialEnd) {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
      };
      return format.frame('BOOKMARK', shaped({ kind, apiVersion, metadata }));
    },
    error: (status) => format.frame('ERROR', status),
  };
}
