// The ApiRequest that the transports make. What is not needed by every request (the parsed query, the abort
// signal) is made when asked for.
import type { ApiRequest, UserInfo } from './exchange.ts';
import { NO_RESOURCE, type RequestInfo } from './request-info.ts';

export type ClientCertificate = NonNullable<ApiRequest['clientCertificate']>;

/** What a transport must say of a request. */
export interface RequestSource {
  readonly id: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: ApiRequest['headers'];
  readonly remoteAddress: string;
  readonly clientCertificate: ClientCertificate | undefined;
  readBody(): Promise<Uint8Array>;
  /** Calls back when the client has gone before it had its whole answer; at once when it is gone already. */
  onGone(callback: () => void): void;
}

const NOBODY: UserInfo = { name: '', uid: '', groups: [], extra: {} };

export class IncomingRequest implements ApiRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly headers: ApiRequest['headers'];
  readonly receivedAt = Date.now();
  readonly startedAt = performance.now();
  readonly warnings: string[] = [];
  info: RequestInfo = NO_RESOURCE;
  user: UserInfo = NOBODY;
  readonly #source: RequestSource;
  #query: URLSearchParams | undefined;
  #controller: AbortController | undefined;
  #givenUp: Error | undefined;

  /** Undefined for a path with a broken percent-encoding. */
  static of(source: RequestSource): IncomingRequest | undefined {
    const mark = source.url.indexOf('?');
    const path = decodedPath(mark < 0 ? source.url : source.url.slice(0, mark));
    return path === undefined ? undefined : new IncomingRequest(source, path, mark);
  }

  private constructor(source: RequestSource, path: string, mark: number) {
    this.path = path;
    this.rawQuery = mark < 0 ? '' : source.url.slice(mark + 1);
    this.id = source.id;
    this.method = source.method;
    this.headers = source.headers;
    this.#source = source;
  }

  get remoteAddress(): string {
    return this.#source.remoteAddress;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#source.clientCertificate;
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.rawQuery));
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#givenUp === undefined)
        this.#source.onGone(() => this.abort(new Error('the client has gone')));
      else this.#controller.abort(this.#givenUp);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    if (this.#givenUp !== undefined) return;
    this.#givenUp = reason;
    this.#controller?.abort(reason);
  }

  readBody(): Promise<Uint8Array> {
    return this.#source.readBody();
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
