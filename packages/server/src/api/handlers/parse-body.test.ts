import { apiErrors } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
// Registers the protobuf messages of built-in kinds.
import '../../kinds/index.ts';
import { PROTOBUF } from '../../wire/negotiate.ts';
import { encodeProtobuf } from '../../wire/protobuf/encode.ts';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { bodyType, parseBody } from './parse-body.ts';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };

describe('a body in protobuf', () => {
  const body = encodeProtobuf(configMap)!;
  const request = () =>
    requestWithoutSocket('POST', '/api/v1/namespaces/default/configmaps', {
      headers: { 'content-type': PROTOBUF },
      body,
    });

  it('keeps its content type and its bytes for all filters and handlers', async () => {
    const incoming = request();
    expect(incoming.headers['content-type']).toBe(PROTOBUF);
    expect(Buffer.from(await incoming.readBody())).toEqual(Buffer.from(body));
  });

  it('is read as the object that it holds', async () => {
    const { value } = await parseBody(body, bodyType(request()), apiErrors.badRequest);
    expect(value).toEqual(configMap);
  });

  it.each([
    ['v1', 'Binding'],
    ['policy/v1', 'Eviction'],
    ['policy/v1beta1', 'Eviction'],
  ])('may be what a subresource takes: %s %s', async (apiVersion, kind) => {
    const posted = { apiVersion, kind, metadata: { name: 'a' } };
    const { value } = await parseBody(encodeProtobuf(posted)!, PROTOBUF, apiErrors.badRequest);
    expect(value).toMatchObject(posted);
  });

  it('that is empty is refused as an empty body of any type is', async () => {
    await expect(parseBody(new Uint8Array(), PROTOBUF, apiErrors.badRequest)).rejects.toThrow(
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    );
  });
});
