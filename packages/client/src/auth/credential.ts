// Authenticates the client: a header for every request, and optionally a client certificate.

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Credential {
  authorization(): Promise<string | undefined>;
  clientCertificate(): Promise<ClientCertificate | undefined>;
  /** Called after a 401. True if the next call may return another credential. */
  expire(): boolean;
}
