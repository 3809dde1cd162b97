// Where the serving certificate comes from: files, or the kit itself.
import type { SecureContextOptions } from 'node:tls';

export interface ServingCertificate {
  readonly context: SecureContextOptions;
  /** PEM that callers must trust. */
  readonly caBundle: string;
  /** Milliseconds since 1970. */
  readonly expires: { readonly serving: number; readonly ca?: number };
}

export interface TlsSource {
  readonly current: ServingCertificate;
  /** Watches for changes from now on, and reports each. */
  start(onChange: (certificate: ServingCertificate) => void): void;
  /** Why the host is not ready; undefined if it is. */
  notReady(): string | undefined;
  stop(): void;
}
