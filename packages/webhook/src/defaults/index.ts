// What a host does unless it is told otherwise. It loads nothing else, so that commands can show it in their
// help without loading a host.
import type { HostLimits } from '../options.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * An API server takes objects of up to 3 MiB, and a review of an update holds two of them, in a wrapping. A
 * conversion review holds as many objects as the API server likes.
 */
export const DEFAULT_LIMITS: HostLimits = {
  maxAdmissionBytes: 7 * MEBIBYTE,
  maxConversionBytes: 64 * MEBIBYTE,
  maxInFlight: 250,
  maxBytesInFlight: 256 * MEBIBYTE,
  defaultTimeoutMs: 30_000,
  shutdownMs: 10_000,
  lameDuckMs: 0,
};

export const DEFAULT_PORT = 9443;
