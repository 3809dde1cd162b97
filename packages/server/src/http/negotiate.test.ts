import { describe, expect, it } from 'vitest';
import { COLLECTION, ONE_OBJECT, WATCH } from '../handlers/answer.ts';
import { acceptsKnownType, negotiate, PLAIN, PROTOBUF } from './negotiate.ts';
import { requestWithoutSocket } from './request-without-socket.ts';

const asking = (accept: string) => requestWithoutSocket('GET', '/', { headers: { accept } });
const AS_TABLE = 'as=Table;v=v1;g=meta.k8s.io';
const AS_METADATA = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const AS_METADATA_LIST = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

function outcome(accept: string, rules = ONE_OBJECT, typed = true): string {
  try {
    const { mediaType, shape } = negotiate(asking(accept), rules, typed);
    return `${mediaType} ${shape}`;
  } catch (error) {
    return String((error as { code: number }).code);
  }
}

describe('answers in protobuf', () => {
  it('are given of typed kinds to whoever asks for them first', () => {
    expect(outcome(PROTOBUF)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`${PROTOBUF},application/json`)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`application/json,${PROTOBUF}`)).toBe('application/json Object');
    expect(outcome(`application/json;q=0.5,${PROTOBUF};q=0.9`)).toBe(`${PROTOBUF} Object`);
    expect(outcome('*/*')).toBe('application/json Object');
    expect(outcome('application/*')).toBe('application/json Object');
  });

  it('are passed over where an object has no form in them', () => {
    expect(outcome(`${PROTOBUF},application/json`, ONE_OBJECT, false)).toBe('application/json Object');
    expect(outcome(`${PROTOBUF},application/yaml`, COLLECTION, false)).toBe('application/yaml Object');
    expect(outcome(PROTOBUF, ONE_OBJECT, false)).toBe('406');
  });

  it('are given of the metadata of every kind, and never of Tables', () => {
    for (const typed of [true, false]) {
      expect(outcome(`${PROTOBUF};${AS_METADATA}`, ONE_OBJECT, typed)).toBe(`${PROTOBUF} PartialObjectMetadata`);
      expect(outcome(`${PROTOBUF};${AS_METADATA_LIST}`, COLLECTION, typed)).toBe(`${PROTOBUF} PartialObjectMetadataList`);
      expect(outcome(`${PROTOBUF};${AS_TABLE},application/json;${AS_TABLE}`, COLLECTION, typed)).toBe('application/json Table');
      expect(outcome(`${PROTOBUF};${AS_TABLE}`, COLLECTION, typed)).toBe('406');
    }
  });

  it('may be streams, which YAML cannot', () => {
    expect(outcome(`${PROTOBUF};stream=watch,application/json;stream=watch`, WATCH)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`${PROTOBUF};stream=other`, WATCH)).toBe('406');
    expect(outcome(`${PROTOBUF};stream=watch`, WATCH, false)).toBe('406');
    expect(outcome(`${PROTOBUF};stream=watch;${AS_METADATA}`, WATCH, false)).toBe(`${PROTOBUF} PartialObjectMetadata`);
    expect(outcome('application/yaml;stream=watch', WATCH)).toBe('406');
  });

  it('are given of errors and reviews, in no other shape', () => {
    expect(outcome(`${PROTOBUF},application/json`, PLAIN)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`${PROTOBUF};${AS_METADATA}`, PLAIN)).toBe('406');
  });

  it('are one of the known types', () => {
    expect(acceptsKnownType(asking(PROTOBUF))).toBe(true);
    expect(acceptsKnownType(asking('application/cbor'))).toBe(false);
  });
});
