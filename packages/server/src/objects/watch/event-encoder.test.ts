import { apiErrors, type JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { partialObjectMetadata } from '../../kinds/table/partial-metadata.ts';
// Registers the protobuf messages of built-in kinds.
import '../../kinds/index.ts';
import { decodeProtobuf } from '../../wire/protobuf/decode.ts';
import type { CacheEvent } from './cache-event.ts';
import { eventEncoder, FrameCache, PROTOBUF_EVENTS } from './event-encoder.ts';

const map = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', resourceVersion: '7' },
  data: { k: 'v' },
};
const form = Buffer.from(JSON.stringify(map));
const source = {} as CacheEvent;

/** The type of an event in a frame, and the object in it. */
function read(frame: Uint8Array): [string, JsonObject | undefined] {
  const bytes = Buffer.from(frame);
  expect(bytes.readUInt32BE(0)).toBe(bytes.length - 4);
  const start = bytes.indexOf('k8s\0');
  return [bytes.subarray(6, 6 + bytes[5]!).toString(), decodeProtobuf(bytes.subarray(start))];
}

describe('events in protobuf', () => {
  const frames = new FrameCache();
  const encoder = eventEncoder('v1', 'ConfigMap', frames, undefined, PROTOBUF_EVENTS);

  it('hold the object', () => {
    expect(read(encoder.event('ADDED', form, source))).toEqual(['ADDED', map]);
  });

  it('are encoded once for all watchers', () => {
    const frame = encoder.event('ADDED', form, source);
    const other = eventEncoder('v1', 'ConfigMap', frames, undefined, PROTOBUF_EVENTS);
    expect(other.event('ADDED', form, source)).toBe(frame);
  });

  it('are cached apart from those in JSON', () => {
    const json = eventEncoder('v1', 'ConfigMap', frames);
    expect(String(json.event('ADDED', form, source))).toBe(`{"type":"ADDED","object":${form}}\n`);
  });

  it('may hold metadata only', () => {
    const representation = {
      key: 'metadata v1',
      isShared: true,
      represent: (object: JsonObject) => partialObjectMetadata(object, 'v1'),
    };
    const metadata = eventEncoder('example.com/v1', 'Widget', frames, representation, PROTOBUF_EVENTS);
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: map.metadata };
    expect(read(metadata.event('MODIFIED', form, source))).toEqual(['MODIFIED', partial]);
    expect(read(metadata.bookmark(9, false))).toEqual([
      'BOOKMARK',
      { ...partial, metadata: { resourceVersion: '9' } },
    ]);
  });

  it('include bookmarks and errors', () => {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    expect(read(encoder.bookmark(9, true))).toEqual([
      'BOOKMARK',
      { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9', annotations } },
    ]);
    expect(read(encoder.error(apiErrors.expired('too old').status))).toMatchObject([
      'ERROR',
      { kind: 'Status', code: 410, reason: 'Expired' },
    ]);
  });
});
