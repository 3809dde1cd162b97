// The calls of a key management service: v2.KeyManagementService over a unix socket.
import { Channel } from '../../engines/etcd/grpc/channel.ts';
import { MessageReader, MessageWriter } from '../../engines/etcd/messages/wire.ts';
import type { KmsConfig } from '../config.ts';
import { type EncryptedKey, readAnnotation, writeAnnotations } from './encrypted-object.ts';

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

const SERVICE = '/v2.KeyManagementService';
/** Servers of gRPC take more frequent pings for an attack. */
const KEEPALIVE_MS = 600_000;

export class KmsService {
  readonly #channel: Channel;
  readonly #timeoutMs: number;

  constructor({ socket, timeoutMs }: KmsConfig) {
    this.#timeoutMs = timeoutMs;
    this.#channel = new Channel({
      endpoints: [`unix:${socket}`],
      tls: undefined,
      connectTimeoutMs: timeoutMs,
      keepaliveMs: KEEPALIVE_MS,
      keepaliveTimeoutMs: timeoutMs,
    });
  }

  async status(): Promise<KmsStatus> {
    const status = { version: '', healthz: '', keyId: '' };
    const reader = await this.#call('Status', new Uint8Array(0));
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) status.version = reader.text();
      else if (field === 2) status.healthz = reader.text();
      else if (field === 3) status.keyId = reader.text();
      else reader.skip();
    }
    return status;
  }

  async encrypt(plaintext: Uint8Array, uid: string): Promise<EncryptedKey> {
    const request = new MessageWriter().bytes(1, plaintext).text(2, uid).finish();
    const none: Buffer = Buffer.alloc(0);
    const answer = { keyId: '', source: none, annotations: new Map<string, Buffer>() };
    const reader = await this.#call('Encrypt', request);
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) answer.source = Buffer.from(reader.bytes());
      else if (field === 2) answer.keyId = reader.text();
      else if (field === 3) answer.annotations.set(...readAnnotation(reader.bytes()));
      else reader.skip();
    }
    return answer;
  }

  async decrypt({ source, keyId, annotations }: EncryptedKey, uid: string): Promise<Buffer> {
    const request = new MessageWriter().bytes(1, source).text(2, uid).text(3, keyId);
    writeAnnotations(request, 4, annotations);
    const reader = await this.#call('Decrypt', request.finish());
    let plaintext: Buffer = Buffer.alloc(0);
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) plaintext = Buffer.from(reader.bytes());
      else reader.skip();
    }
    return plaintext;
  }

  close(): void {
    this.#channel.close().catch(() => {});
  }

  async #call(method: string, request: Uint8Array): Promise<MessageReader> {
    return new MessageReader(await this.#channel.unary(`${SERVICE}/${method}`, request, this.#timeoutMs));
  }
}
