// A plugin for key management (KMS v2) as another process would be one: gRPC over a unix socket. Its own key
// can be changed, and it can be made to fail.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { MessageReader, MessageWriter } from '../engines/etcd/messages/wire.ts';

const NONCE = Buffer.alloc(12);

export class KmsPlugin {
  readonly socket: string;
  readonly calls: string[] = [];
  keyId = 'key-1';
  fault: string | undefined;
  healthz = 'ok';
  readonly #keys = new Map<string, Buffer>();
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(socket: string) {
    this.socket = socket;
    this.#server = createServer();
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => this.#answer(stream, String(headers[':path']), Buffer.concat(parts)));
    });
  }

  static async start(socket: string): Promise<KmsPlugin> {
    const plugin = new KmsPlugin(socket);
    await new Promise<void>((resolve) => plugin.#server.listen(socket, resolve));
    return plugin;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(stream: ServerHttp2Stream, path: string, body: Buffer): void {
    const method = path.slice(path.lastIndexOf('/') + 1);
    this.calls.push(method);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    const { fault } = this;
    stream.on('wantTrailers', () =>
      stream.sendTrailers({
        'grpc-status': fault === undefined ? '0' : '14',
        ...(fault !== undefined && { 'grpc-message': encodeURIComponent(fault) }),
      }),
    );
    if (fault !== undefined) {
      stream.end();
      return;
    }
    const message = this.#messageOf(method, fieldsOf(body.subarray(5)));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([head, message]));
  }

  #messageOf(method: string, fields: ReadonlyMap<number, Buffer>): Buffer {
    const writer = new MessageWriter();
    if (method === 'Status') return writer.text(1, 'v2').text(2, this.healthz).text(3, this.keyId).finish();
    if (method === 'Decrypt') return writer.bytes(1, this.#open(fields)).finish();
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.keyId), NONCE);
    const sealed = Buffer.concat([cipher.update(fields.get(1)!), cipher.final(), cipher.getAuthTag()]);
    const annotation = new MessageWriter().text(1, 'plugin.example.com').bytes(2, Buffer.from('1')).finish();
    return writer.bytes(1, sealed).text(2, this.keyId).bytes(3, annotation).finish();
  }

  #open(fields: ReadonlyMap<number, Buffer>): Buffer {
    const sealed = fields.get(1)!;
    const decipher = createDecipheriv('aes-256-gcm', this.#key(fields.get(3)!.toString()), NONCE);
    decipher.setAuthTag(sealed.subarray(-16));
    return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  }

  #key(id: string): Buffer {
    const known = this.#keys.get(id) ?? randomBytes(32);
    this.#keys.set(id, known);
    return known;
  }
}

function fieldsOf(message: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  const reader = new MessageReader(message);
  for (let field = reader.next(); field !== 0; field = reader.next()) fields.set(field, reader.bytes());
  return fields;
}
