// The status of a failed gRPC call. The codes are those of gRPC; ../errors.ts decides what they mean for a
// store.

export const GRPC = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: number;
  /** True if the request certainly never reached a server. */
  readonly unsent: boolean;

  constructor(code: number, message: string, options: { cause?: unknown; unsent?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.unsent = options.unsent ?? false;
  }
}

type Headers = Readonly<Record<string, unknown>>;

/** Undefined if the trailers (or, without a body, the headers) report success. */
export function errorOfTrailers(trailers: Headers): GrpcError | undefined {
  const code = Number(trailers['grpc-status'] ?? GRPC.unknown);
  return code === GRPC.ok ? undefined : new GrpcError(code, messageOf(trailers));
}

function messageOf(trailers: Headers): string {
  const text = String(trailers['grpc-message'] ?? 'the call ended without a status');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A server that answers without a gRPC status, such as a proxy or a wrong port. */
export function errorOfHttpStatus(status: number): GrpcError {
  const code = status === 429 || status >= 502 ? GRPC.unavailable : GRPC.unknown;
  return new GrpcError(code, `the server answered with HTTP status ${status}`);
}
