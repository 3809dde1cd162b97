// The ApiRequest that the transports create. What not every request needs (the parsed query, the abort
// signal) is created when it is first read.
import { randomUUID } from 'node:crypto';
import type { Exchange } from '@instar/serving';
import { readWhole } from './body.ts';
import { clientCertificateOf } from './client-certificate.ts';
import type { ApiRequest, AuditTrail, ClientCertificate, UserInfo } from './exchange.ts';
import { parseQuery } from './query.ts';
import { withImpersonationLists } from './repeated-headers.ts';
import { NO_RESOURCE, type RequestInfo } from './request-info.ts';

/** The parts of an exchange that it needs. */
interface RequestSource
  extends Pick<Exchange, 'method' | 'url' | 'rawHeaders' | 'body' | 'socket' | 'onAborted'> {
  readonly headers: ApiRequest['headers'];
}

const NO_USER: UserInfo = { name: '', uid: '', groups: [], extra: {} };

export class IncomingRequest implements ApiRequest {
  readonly id = randomUUID();
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly headers: ApiRequest['headers'];
  readonly receivedAt = Date.now();
  readonly startedAt = performance.now();
  readonly warnings: string[] = [];
  info: RequestInfo = NO_RESOURCE;
  user: UserInfo = NO_USER;
  audit: AuditTrail | undefined;
  priority: ApiRequest['priority'];
  onWatchBegun: (() => void) | undefined;
  readonly #source: RequestSource;
  readonly #maxBodyBytes: number;
  #query: URLSearchParams | undefined;
  #controller: AbortController | undefined;
  #stopReading: ((reason: Error) => void) | undefined;
  #givenUp: Error | undefined;

  /** Undefined for a path with a broken percent-encoding. */
  static of(source: RequestSource, maxBodyBytes: number): IncomingRequest | undefined {
    const mark = source.url.indexOf('?');
    const path = decodedPath(mark < 0 ? source.url : source.url.slice(0, mark));
    return path === undefined ? undefined : new IncomingRequest(source, path, mark, maxBodyBytes);
  }

  private constructor(source: RequestSource, path: string, mark: number, maxBodyBytes: number) {
    this.path = path;
    this.rawQuery = mark < 0 ? '' : source.url.slice(mark + 1);
    this.method = source.method;
    this.headers = withImpersonationLists(source.headers, source.rawHeaders);
    this.#maxBodyBytes = maxBodyBytes;
    this.#source = source;
  }

  get uri(): string {
    return this.#source.url;
  }

  get remoteAddress(): string {
    return this.#source.socket?.remoteAddress ?? '';
  }

  get rawHeaders(): readonly string[] {
    return this.#source.rawHeaders;
  }

  get clientCertificate(): ClientCertificate | undefined {
    const { socket } = this.#source;
    return socket === undefined ? undefined : clientCertificateOf(socket);
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery(this.rawQuery));
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#givenUp === undefined)
        this.#source.onAborted(() => this.abort(new Error('the client has disconnected')));
      else this.#controller.abort(this.#givenUp);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    if (this.#givenUp !== undefined) return;
    this.#givenUp = reason;
    this.#controller?.abort(reason);
    this.#stopReading?.(reason);
  }

  readBody(): Promise<Uint8Array> {
    const length = this.headers['content-length'] as string | undefined;
    return readWhole(this.#source.body, length, this.#maxBodyBytes, (stop) => {
      if (this.#givenUp === undefined) this.#stopReading = stop;
      else stop(this.#givenUp);
    });
  }
}

function decodedPath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
