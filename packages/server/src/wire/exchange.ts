// One request and its answer, without sockets: filters and handlers know only these, so that tests need no
// network.
import type { RequestInfo } from './request-info.ts';

export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface ApiRequest {
  /** Unique per request: in logs, in the Audit-Id header and in the answer to an internal error. */
  readonly id: string;
  readonly method: string;
  /** Decoded path without the query. */
  readonly path: string;
  /** The query as sent, without the question mark; parse it with `query`. */
  readonly rawQuery: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
  /** Milliseconds, as Date.now(). */
  readonly receivedAt: number;
  /** The same moment as performance.now() tells it, to measure how long things took. */
  readonly startedAt: number;
  /** The client's certificate when it was verified against the client CA: its subject. */
  readonly clientCertificate:
    | { readonly commonName: string; readonly organizations: readonly string[] }
    | undefined;
  /**
   * Aborted when the client has gone, the deadline has passed or the server is closing. Made when first asked
   * for.
   */
  readonly signal: AbortSignal;
  /** Gives the request up: aborts `signal` with this reason. */
  abort(reason: Error): void;
  /** The whole body; throws ApiError 413 beyond the limit. May be called once. */
  readBody(): Promise<Uint8Array>;
  /** Filled in by the filters of those names, in their order. */
  info: RequestInfo;
  user: UserInfo;
  /** Texts that become Warning headers: handlers push, the outermost filter writes. */
  readonly warnings: string[];
}

/**
 * Where the bytes of a long answer go. Writes never block; `pending` tells how many bytes wait for a slow
 * client.
 */
export interface ByteSink {
  write(chunk: Uint8Array): void;
  readonly pending: number;
  /** Resolves when more can be written without waiting in memory, or when nobody will ever read it. */
  drained(): Promise<void>;
  /** Ends the answer properly. */
  end(): void;
  /** Breaks it off. */
  destroy(): void;
}

/** An answer that goes on for as long as both sides like: a watch. */
export interface StreamBody {
  /**
   * Called exactly once, when the head is written (also when the client has already gone: then the sink is
   * dead). The returned function is called once, when the sink has closed for whatever reason. When the
   * server shuts down it ends the sink itself.
   */
  start(sink: ByteSink): () => void;
}

export type ResponseBody = Uint8Array | readonly Uint8Array[] | StreamBody | undefined;

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. content-length is added by the transport for bodies in bytes. */
  readonly headers: Record<string, string | string[]>;
  readonly body: ResponseBody;
  /** Of a failure of the server (5xx): its reason, for the log. */
  readonly failure?: string;
}

export type Handler = (request: ApiRequest) => Promise<ApiResponse>;
/** Changes an answer on its way out. */
export type Finisher = (request: ApiRequest, response: ApiResponse) => ApiResponse | Promise<ApiResponse>;
export type Filter = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

export function isStreamBody(body: ResponseBody): body is StreamBody {
  return body !== undefined && 'start' in body;
}
