// The credential of a cluster access.
import type { Clock } from '@instar/serving';
import type { ClusterAccess } from '../kubeconfig/cluster-access.ts';
import type { Credential } from './credential.ts';
import { ExecCredential } from './exec-credential.ts';
import { TokenFile } from './token-file.ts';

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
