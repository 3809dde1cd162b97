import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerReviews } from '../../api/auth/review-messages.ts';
import { decodeProtobufBody } from './body.ts';
import { decodeProtobuf } from './decode.ts';
import '../../kinds/index.ts';
import { registeredMessages } from './kinds.ts';
import { ProtobufError } from './reader.ts';

registerReviews();

/** Writes protobuf as Go does, as far as the tests need it. */
function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
type Part = string | number | bigint | boolean | Uint8Array;
function field(number: number, value: Part): Buffer {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    return Buffer.from([...varint(BigInt(number * 8 + 2)), ...varint(BigInt(bytes.length)), ...bytes]);
  }
  return Buffer.from([...varint(BigInt(number * 8)), ...varint(BigInt(value))]);
}
const message = (...fields: [number, Part][]): Buffer =>
  Buffer.concat(fields.map(([number, value]) => field(number, value)));
function sent(apiVersion: string, kind: string, object: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('k8s\0'),
    message([1, message([1, apiVersion], [2, kind])], [2, object], [3, ''], [4, '']),
  ]);
}

describe('decodeProtobuf', () => {
  it('keeps a byte order mark at the beginning of a string', () => {
    const labels = message([1, 'k'], [2, '\ufeffv']);
    const object = decodeProtobuf(sent('v1', 'ConfigMap', message([1, message([11, labels])])));
    expect(object!['metadata']).toEqual({ labels: { k: '\ufeffv' } });
  });

  it('omits zero values, except those of pointers', () => {
    const meta = message(
      [1, 'a'],
      [2, ''],
      [7, 0],
      [8, message([1, 1_700_000_000])],
      [11, message([1, '__proto__'], [2, 'x'])],
      [14, 'f'],
      [14, ''],
    );
    expect(
      decodeProtobuf(
        sent(
          'v1',
          'ConfigMap',
          message([1, meta], [2, message([1, 'k'], [2, 'v'])], [3, message([1, 'b'], [2, 'hi'])], [4, false]),
        ),
      ),
    ).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        creationTimestamp: '2023-11-14T22:13:20Z',
        labels: JSON.parse('{"__proto__":"x"}'),
        finalizers: ['f', ''],
      },
      data: { k: 'v' },
      binaryData: { b: 'aGk=' },
      immutable: false,
    });
  });

  it('reads only the times that are set, with microseconds', () => {
    const spec = message([1, ''], [2, 0], [3, message([1, 1_700_000_000], [2, 1_234_567])], [5, -1]);
    expect(
      decodeProtobuf(
        sent('coordination.k8s.io/v1', 'Lease', message([1, message([8, message()])], [2, spec])),
      ),
    ).toEqual({
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      spec: {
        holderIdentity: '',
        leaseDurationSeconds: 0,
        acquireTime: '2023-11-14T22:13:20.001234Z',
        leaseTransitions: -1,
      },
    });
  });

  it('reads ports by number or name', () => {
    const port = (target: Buffer) => message([1, ''], [3, 80], [4, target]);
    const service = message([
      2,
      message([1, port(message([1, 0], [2, 8080], [3, '']))], [1, port(message([1, 1], [2, 0], [3, 'web']))]),
    ]);
    expect(decodeProtobuf(sent('v1', 'Service', service))).toMatchObject({
      spec: {
        ports: [
          { port: 80, targetPort: 8080 },
          { port: 80, targetPort: 'web' },
        ],
      },
    });
  });

  it('reads the messages embedded in a webhook, even an empty one', () => {
    const webhook = message(
      [1, 'w'],
      [3, message([1, 'CREATE'], [2, message([1, ''], [3, 'pods'])])],
      [5, message()],
    );
    expect(
      decodeProtobuf(
        sent('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', message([2, webhook])),
      ),
    ).toMatchObject({
      webhooks: [
        {
          name: 'w',
          rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['pods'] }],
          namespaceSelector: {},
        },
      ],
    });
  });

  it('reads lists in maps', () => {
    const extra = message([1, 'scope'], [2, message([1, 'a'], [1, 'b'])]);
    const review = message([2, message([1, message([2, 'get'])], [3, 'jane'], [5, extra])]);
    expect(decodeProtobuf(sent('authorization.k8s.io/v1', 'SubjectAccessReview', review))).toMatchObject({
      spec: { resourceAttributes: { verb: 'get' }, user: 'jane', extra: { scope: ['a', 'b'] } },
    });
  });

  it('ignores fields of a later release', () => {
    expect(
      decodeProtobuf(sent('v1', 'Namespace', message([1, message([1, 'n'])], [99, 'new'], [98, 5]))),
    ).toMatchObject({
      metadata: { name: 'n' },
    });
  });

  it('refuses kinds without a message and damaged bytes', () => {
    expect(() => decodeProtobufBody(sent('example.com/v1', 'Widget', message()))).toThrow('unknown format');
    expect(() => decodeProtobuf(Buffer.from('{}'))).toThrow(ProtobufError);
    const whole = sent('v1', 'Namespace', message([1, message([1, 'n'])]));
    expect(() => decodeProtobuf(whole.subarray(0, 25))).toThrow(ProtobufError);
  });

  it('throws nothing but ProtobufError for any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom(...registeredMessages().keys()),
        (bytes, key) => {
          const [apiVersion = '', kind = ''] = key.split(' ');
          try {
            decodeProtobufBody(sent(apiVersion, kind, Buffer.from(bytes)));
          } catch (error) {
            expect(error).toMatchObject({ name: 'ApiError', code: 400 });
          }
        },
      ),
    );
  });
});
