// What is stored of an object that a key management service protects, as kube-apiserver's KMS v2 stores it:
// the ciphertext, and the key that decrypts it, which only the service can decrypt.
import { MessageReader, MessageWriter } from '../../engines/etcd/messages/wire.ts';

/** A key, encrypted by the service. */
export interface EncryptedKey {
  /** The name of the service's own key. */
  readonly keyId: string;
  readonly source: Buffer;
  readonly annotations: ReadonlyMap<string, Buffer>;
}

export interface EncryptedObject extends EncryptedKey {
  readonly data: Buffer;
  /** 0: the key itself. 1: a seed from which a key is derived for each value. */
  readonly sourceType: number;
}

const KEY = 0;
export const SEED = 1;

const MAX_KEY_ID_BYTES = 1024;
const MAX_SOURCE_BYTES = 1024;
const MAX_ANNOTATION_BYTES = 32 * 1024;

export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  const writer = new MessageWriter().bytes(1, object.data).text(2, object.keyId).bytes(3, object.source);
  writeAnnotations(writer, 4, object.annotations);
  return writer.number(5, object.sourceType).finish();
}

/** Throws for anything else. */
export function decodeEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const none: Buffer = Buffer.alloc(0);
  const object = {
    data: none,
    keyId: '',
    source: none,
    annotations: new Map<string, Buffer>(),
    sourceType: 0,
  };
  const reader = new MessageReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) object.data = reader.bytes();
    else if (field === 2) object.keyId = reader.text();
    else if (field === 3) object.source = reader.bytes();
    else if (field === 4) object.annotations.set(...readAnnotation(reader.bytes()));
    else if (field === 5) object.sourceType = reader.number();
    else reader.skip();
  }
  if (object.sourceType !== KEY && object.sourceType !== SEED)
    throw new Error(`unknown encryptedDEKSourceType: ${object.sourceType}`);
  if (object.data.length === 0) throw new Error('encrypted data is empty');
  checkEncryptedKey(object);
  return object;
}

export function checkEncryptedKey({ keyId, source, annotations }: EncryptedKey): void {
  if (source.length === 0)
    throw new Error('failed to validate encrypted DEK source: encrypted DEK source is empty');
  if (source.length > MAX_SOURCE_BYTES)
    throw new Error(
      `failed to validate encrypted DEK source: encrypted DEK source is ${source.length} bytes, which exceeds the max size of ${MAX_SOURCE_BYTES}`,
    );
  const fault = keyIdFault(keyId);
  if (fault !== undefined) throw new Error(`failed to validate key id: ${fault}`);
  let total = 0;
  for (const [name, value] of annotations) total += Buffer.byteLength(name) + value.length;
  if (total > MAX_ANNOTATION_BYTES)
    throw new Error(
      `failed to validate annotations: total size of annotations is ${total}, which exceeds the max size of ${MAX_ANNOTATION_BYTES}`,
    );
}

export function keyIdFault(keyId: string): string | undefined {
  const length = Buffer.byteLength(keyId);
  if (length === 0) return 'keyID is empty';
  if (length <= MAX_KEY_ID_BYTES) return undefined;
  return `keyID is ${length} bytes, which exceeds the max size of ${MAX_KEY_ID_BYTES}`;
}

/** A map of protocol buffers: an entry is a message of its own. */
export function writeAnnotations(
  writer: MessageWriter,
  field: number,
  annotations: ReadonlyMap<string, Buffer>,
): void {
  for (const [name, value] of annotations)
    writer.bytes(field, new MessageWriter().text(1, name).bytes(2, value).finish());
}

export function readAnnotation(bytes: Buffer): [string, Buffer] {
  const reader = new MessageReader(bytes);
  let name = '';
  let value: Buffer = Buffer.alloc(0);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) name = reader.text();
    else if (field === 2) value = reader.bytes();
    else reader.skip();
  }
  return [name, value];
}
