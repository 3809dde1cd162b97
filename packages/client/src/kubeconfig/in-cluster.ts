// Access with the service account of a pod: the address of the API server, its CA, the token. The token file
// is reread as it rotates.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterAccess } from './cluster-access.ts';

const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined outside of a pod. */
export async function readInClusterAccess(
  env: Environment,
  folder: string = SERVICE_ACCOUNT_FOLDER,
): Promise<ClusterAccess | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  const tokenFile = join(folder, 'token');
  if (!host || !port || (await readText(tokenFile)) === undefined) return undefined;
  const namespace = (await readText(join(folder, 'namespace')))?.trim();
  return {
    context: '',
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: namespace || 'default',
    tls: { insecure: false, ca: { file: join(folder, 'ca.crt') } },
    tokenFile,
  };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
