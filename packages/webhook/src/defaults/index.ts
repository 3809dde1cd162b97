// The defaults of a host. Imports nothing else, so that commands can show them in their help without loading
// a host.
import type { HostLimits } from '../options.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * An API server accepts objects of up to 3 MiB, and the review of an update holds two of them. A conversion
 * review holds one object of kube-apiserver, or a batch of Instar: 1 MiB, or one object that is larger. What
 * is not formatted as API servers do is parsed in one step, so that longer bodies would block the process.
 */
export const DEFAULT_LIMITS: HostLimits = {
  maxAdmissionBytes: 7 * MEBIBYTE,
  maxConversionBytes: 8 * MEBIBYTE,
  maxInFlight: 250,
  maxBytesInFlight: 256 * MEBIBYTE,
  defaultTimeoutMs: 30_000,
  shutdownMs: 10_000,
  lameDuckMs: 0,
};

/** The port that a host listens on. */
export const DEFAULT_PORT = 9443;
