import { apiErrors } from '@instar/machinery';
import '../kinds/index.ts';
import { describe, expect, it } from 'vitest';
import { PROTOBUF } from './negotiate.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { requestWithoutSocket } from './request-without-socket.ts';
import { negotiatedStatus, respondBytes, respondObject } from './respond.ts';

const inProtobuf = {
  mediaType: PROTOBUF,
  representation: 'Object',
  representationVersion: 'v1',
  pretty: false,
} as const;

describe('responses in protobuf', () => {
  it('are encoded from bytes in JSON', () => {
    const list = {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '7' },
      items: [{ metadata: { name: 'a' }, data: { k: 'v' } }],
    };
    const { headers, body, status } = respondBytes(200, Buffer.from(JSON.stringify(list)), inProtobuf);
    expect({ headers, status }).toEqual({ headers: { 'content-type': PROTOBUF }, status: 200 });
    expect(decodeProtobuf(body as Uint8Array)).toEqual(list);
  });

  it('ignore pretty', () => {
    const object = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'a' } };
    expect(respondObject(200, object, { ...inProtobuf, pretty: true })).toEqual(
      respondObject(200, object, inProtobuf),
    );
  });

  it('are JSON if a kind has no message', () => {
    const { headers, body } = respondObject(
      200,
      { kind: 'Widget', apiVersion: 'example.com/v1' },
      inProtobuf,
    );
    expect(headers).toEqual({ 'content-type': 'application/json' });
    expect(String(body)).toBe('{"kind":"Widget","apiVersion":"example.com/v1"}');
  });

  it('are sent for errors, with their headers', () => {
    const { status: error } = apiErrors.tooManyRequests('Too many.', 5);
    const request = requestWithoutSocket('GET', '/', { headers: { accept: `${PROTOBUF},application/json` } });
    const { status, headers, body } = negotiatedStatus(error, request);
    expect({ status, headers }).toEqual({
      status: 429,
      headers: { 'content-type': PROTOBUF, 'retry-after': '5' },
    });
    expect(decodeProtobuf(body as Uint8Array)).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      message: 'Too many.',
      code: 429,
    });
  });
});
