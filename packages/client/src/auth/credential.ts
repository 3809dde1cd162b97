// Who we are to the server: headers for every request, perhaps a client certificate for the connection.
import type { Clock } from '../clock.ts';
import type { ClusterAccess, Impersonation } from '../kubeconfig/cluster-access.ts';
import { ExecCredential } from './exec-credential.ts';
import { TokenFile } from './token-file.ts';

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

export function credentialOf(access: ClusterAccess, clock: Clock): Credential {
  if (access.exec !== undefined) return new ExecCredential(access.exec, clock);
  if (access.tokenFile !== undefined) return new TokenFile(access.tokenFile, clock);
  const { basic, token } = access;
  if (token !== undefined) return fixed(`Bearer ${token}`);
  return fixed(basic && `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`);
}

function fixed(authorization: string | undefined): Credential {
  return {
    authorization: async () => authorization,
    clientCertificate: async () => undefined,
    expire: () => false,
  };
}

/** Header names and values alternate: one name may come several times. */
export function impersonationHeaders(as: Impersonation | undefined): string[] {
  if (as === undefined) return [];
  const headers = ['impersonate-user', as.user];
  if (as.uid !== undefined) headers.push('impersonate-uid', as.uid);
  for (const group of as.groups) headers.push('impersonate-group', group);
  for (const [key, values] of Object.entries(as.extra))
    for (const value of values)
      headers.push(`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, value);
  return headers;
}
