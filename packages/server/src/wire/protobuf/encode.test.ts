import '../../kinds/index.ts';
import { describe, expect, it } from 'vitest';
import { encodeProtobuf, encodeWatchFrame } from './encode.ts';

/**
 * Bytes in hexadecimal, and text after a quotation mark, as the .proto files of Kubernetes and the wire
 * format specify them.
 */
const wire = (...parts: string[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      part.startsWith('"') ? Buffer.from(part.slice(1)) : Buffer.from(part.replaceAll(' ', ''), 'hex'),
    ),
  );

const envelope = (apiVersion: string, kind: string, raw: Buffer): Buffer => {
  const type = Buffer.concat([
    wire('0a'),
    delimited(Buffer.from(apiVersion)),
    wire('12'),
    delimited(Buffer.from(kind)),
  ]);
  return Buffer.concat([
    wire('"k8s', '00', '0a'),
    delimited(type),
    wire('12'),
    delimited(raw),
    wire('1a00', '2200'),
  ]);
};
const delimited = (bytes: Buffer): Buffer => {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from(length), bytes]);
};
/** Zeros of the metadata after its name: generateName to resourceVersion, generation, creationTimestamp. */
const NO_MORE_METADATA = '1200 1a00 2200 2a00 3200 3800 4200';

const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } };
const PARTIAL = wire(
  ...['6b387300', '0a27', '0a0e', '"meta.k8s.io/v1', '1215', '"PartialObjectMetadata'],
  ...['1213', '0a11', '0a01', '"a', NO_MORE_METADATA, '1a00', '2200'],
);

describe('encodeProtobuf', () => {
  it('writes an object in its envelope byte for byte as Go does', () => {
    expect(encodeProtobuf(partial)).toEqual(PARTIAL);
  });

  it('writes fields in the order of their numbers', () => {
    const details = {
      name: 'x',
      kind: 'pods',
      uid: 'u',
      causes: [{ reason: 'r', message: 'm', field: 'f' }],
    };
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'm',
      reason: 'NotFound',
      details,
      code: 404,
    };
    const cause = ['2209', '0a01', '"r', '1201', '"m', '1a01', '"f'];
    const raw = wire(
      ...['0a06', '0a00', '1200', '1a00', '1207', '"Failure', '1a01', '"m', '2208', '"NotFound'],
      ...['2a1b', '0a01', '"x', '1200', '1a04', '"pods', ...cause, '2800', '3201', '"u', '309403'],
    );
    expect(encodeProtobuf(status)).toEqual(envelope('v1', 'Status', raw));
  });

  it('writes maps of text or bytes in the byte order of their keys', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', labels: { '\u{10000}': '4', '\uffff': '3', b: '2', a: '' } },
      data: { k: '/wA=', empty: '' },
      type: 'Opaque',
      immutable: false,
    };
    const labels = ['5a05', '0a01', '"a', '1200', '5a06', '0a01', '"b', '1201', '"2'];
    const beyond = ['5a08', '0a03', '"\uffff', '1201', '"3', '5a09', '0a04', '"\u{10000}', '1201', '"4'];
    const raw = wire(
      ...['0a35', '0a01', '"a', NO_MORE_METADATA, ...labels, ...beyond],
      ...['1209', '0a05', '"empty', '1200', '1207', '0a01', '"k', '1202', 'ff00', '1a06', '"Opaque', '2800'],
    );
    expect(encodeProtobuf(secret)).toEqual(envelope('v1', 'Secret', raw));
  });

  it('writes times in seconds, with nanoseconds for a MicroTime', () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a', creationTimestamp: '2023-11-14T22:13:20Z' },
      spec: { acquireTime: '2023-11-14T22:13:20.001234Z', renewTime: null, leaseTransitions: -1 },
    };
    const seconds = '08 80e2cfaa06';
    const raw = wire(
      ...['0a19', '0a01', '"a', '1200 1a00 2200 2a00 3200 3800', '4208', seconds, '1000'],
      ...['1217', '1a0a', seconds, '10d0a84b', '28ffffffffffffffffff01'],
    );
    expect(encodeProtobuf(lease)).toEqual(envelope('coordination.k8s.io/v1', 'Lease', raw));
  });

  it('omits a time that is not set', () => {
    const times = [null, undefined, '0001-01-01T00:00:00Z', 'never'];
    for (const creationTimestamp of times) {
      expect(encodeProtobuf({ ...partial, metadata: { name: 'a', creationTimestamp } })).toEqual(PARTIAL);
    }
  });

  it('writes the known fields of ports by name or number', () => {
    const ports = [{ name: 'n', protocol: 'TCP', port: 80, targetPort: 'web', future: true }, { port: 300 }];
    const service = encodeProtobuf({ apiVersion: 'v1', kind: 'Service', metadata: {}, spec: { ports } })!;
    const named = wire(
      '0a17',
      '0a01',
      '"n',
      '1203',
      '"TCP',
      '1850',
      '2209',
      '0801 1000',
      '1a03',
      '"web',
      '2800',
    );
    const numbered = wire('0a11', '0a00', '1200', '18ac02', '2206', '0800 1000 1a00', '2800');
    expect(Buffer.from(service).includes(Buffer.concat([named, numbered]))).toBe(true);
  });

  it('writes schemas that are booleans or lists', () => {
    const crd = (openAPIV3Schema: object) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {},
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema } }] },
    });
    const schema = (value: object): string => Buffer.from(encodeProtobuf(crd(value))!).toString('hex');
    expect(schema({ additionalProperties: false })).toContain('f201020800');
    expect(schema({ additionalProperties: true })).toContain('f201020801');
    expect(schema({ dependencies: { a: ['b'] } })).toContain(
      wire('820208', '0a01', '"a', '1203', '1201', '"b').toString('hex'),
    );
    expect(schema({ maximum: 1.5, enum: [null, 1] })).toContain(
      wire('49', '000000000000f83f').toString('hex'),
    );
    expect(schema({ enum: [null, 1] })).toContain(wire('a20100', 'a20103', '0a01', '"1').toString('hex'));
  });

  it('returns undefined for kinds that have no message', () => {
    expect(encodeProtobuf({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: {} })).toBeUndefined();
    expect(encodeProtobuf({ apiVersion: 'v1', kind: 'Table' })).toBeUndefined();
  });
});

describe('encodeWatchFrame', () => {
  it('writes the length, then the event with the object in its envelope', () => {
    expect(encodeWatchFrame('ADDED', partial)).toEqual(
      wire('00000051', '0a05', '"ADDED', '1248', '0a46', PARTIAL.toString('hex')),
    );
  });
});
