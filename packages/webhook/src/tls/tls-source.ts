// Where the serving certificate comes from: files, or the kit itself.
import type { SecureContextOptions } from 'node:tls';

export interface ServingCertificate {
  readonly context: SecureContextOptions;
  /** PEM: what callers must trust. */
  readonly caBundle: string;
  /** Milliseconds since 1970. */
  readonly expires: { readonly serving: number; readonly ca?: number };
}

export interface TlsSource {
  readonly current: ServingCertificate;
  /** Looks for changes from now on, and tells of each. */
  start(onChange: (certificate: ServingCertificate) => void): void;
  /** Why the host should not be called yet; undefined if nothing speaks against it. */
  notReady(): string | undefined;
  stop(): void;
}
