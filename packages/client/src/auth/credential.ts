// Who we are to the server: headers for every request, perhaps a client certificate for the connection.

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Credential {
  authorization(): Promise<string | undefined>;
  clientCertificate(): Promise<ClientCertificate | undefined>;
  /** The server said 401. True if asking again may give something else. */
  expire(): boolean;
}
