// A request and its response, without sockets: filters and handlers know only these types, so that tests need
// no network.
import type { X509Certificate } from 'node:crypto';
import type { RequestInfo } from './request-info.ts';

/** Who sends a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What filters and handlers add to the audit event of a request. */
export interface AuditTrail {
  /** True if events have the bodies of requests, and what belongs to them. */
  readonly hasBodies: boolean;
  /** The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** `constraint`: the mode of impersonation, empty for the one without constraints. */
  impersonated(user: UserInfo, constraint: string): void;
  /** The decoded body; it names the object if the path does not. */
  requestObject(object: object): void;
  requestPatch(patch: Uint8Array, isYaml: boolean): Promise<void> | undefined;
}

/** The certificate that a client proved to have. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256, in hex. */
  readonly fingerprint: string;
  /** Why it is not trusted at all. */
  readonly fault?: string;
  /** The certificate, then those that were sent with it. */
  chain(): readonly X509Certificate[];
}

export interface ApiRequest {
  /** Unique per request: in logs, in the Audit-Id header and in the response to an internal error. */
  readonly id: string;
  readonly method: string;
  /** Decoded path without the query. */
  readonly path: string;
  /** The path and the query as sent. */
  readonly uri: string;
  /** The query as sent, without the question mark; parse it with `query`. */
  readonly rawQuery: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
  /** Milliseconds, as Date.now(). */
  readonly receivedAt: number;
  /** The same time by performance.now(), to measure durations. */
  readonly startedAt: number;
  /** Names and values in turn, as they were sent: repeated headers are not joined. */
  readonly rawHeaders: readonly string[];
  /** Undefined: the client sent none. */
  readonly clientCertificate: ClientCertificate | undefined;
  /**
   * Aborted when the client has disconnected, the deadline has passed or the server is closing. Created when
   * it is first read.
   */
  readonly signal: AbortSignal;
  /** Aborts the request: aborts `signal` with this reason. */
  abort(reason: Error): void;
  /** The whole body; throws ApiError 413 beyond the limit. May be called once. */
  readBody(): Promise<Uint8Array>;
  /** Filled in by the filters of those names, in their order. */
  info: RequestInfo;
  user: UserInfo;
  /** Undefined: the request is not audited. */
  audit: AuditTrail | undefined;
  /** By which flow schema and priority level it was limited. */
  priority: { readonly schemaUid: string; readonly levelUid: string } | undefined;
  /** A watch calls it when it has sent what was there before. */
  onWatchBegun: (() => void) | undefined;
  /** Texts that become Warning headers: handlers push, the outermost filter writes. */
  readonly warnings: string[];
}

/**
 * Where the bytes of a streamed response go. Writes never block; `pending` is the number of bytes that wait
 * for a slow client.
 */
export interface ByteSink {
  write(chunk: Uint8Array): void;
  readonly pending: number;
  /** Resolves when more can be written without buffering, or when the client has disconnected. */
  drained(): Promise<void>;
  /** Ends the response properly. */
  end(): void;
  /** Aborts the response. */
  destroy(): void;
}

/** A response that is streamed until one side ends it: a watch. */
export interface StreamBody {
  /**
   * Called exactly once, when the head is written (also if the client has already disconnected: then the sink
   * is closed). The returned function is called once, when the sink has closed for any reason. When the
   * server shuts down, it ends the sink itself.
   */
  start(sink: ByteSink): () => void;
}

export type ResponseBody = Uint8Array | readonly Uint8Array[] | StreamBody | undefined;

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. content-length is added by the transport for bodies in bytes. */
  readonly headers: Record<string, string | string[]>;
  readonly body: ResponseBody;
  /** The cause of a failure of the server (5xx), for the log. */
  readonly failure?: string;
}

export type Handler = (request: ApiRequest) => Promise<ApiResponse>;
/** Changes a response before it is written. */
export type Finisher = (request: ApiRequest, response: ApiResponse) => ApiResponse | Promise<ApiResponse>;
export type Filter = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

export function isStreamBody(body: ResponseBody): body is StreamBody {
  return body !== undefined && 'start' in body;
}
