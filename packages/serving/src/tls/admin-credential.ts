// The admin's token and the kubeconfig that holds it. With a data directory the token persists across
// restarts.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/** Reads the administrator's token, or creates it. */
export async function openAdminToken(dataDir: string | undefined): Promise<string> {
  if (dataDir === undefined) return newToken();
  const file = join(dataDir, 'pki', 'admin.token');
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (stored.trim() !== '') return stored.trim();
  const token = newToken();
  await writePrivateFile(file, `${token}\n`);
  return token;
}

const newToken = (): string => randomBytes(24).toString('base64url');

/** A kubeconfig for one server and a token. */
export function kubeconfigText(url: string, caCertificate: string, token: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: instar
  cluster:
    server: ${url}
    certificate-authority-data: ${Buffer.from(caCertificate).toString('base64')}
users:
- name: instar-admin
  user:
    token: ${token}
contexts:
- name: instar
  context:
    cluster: instar
    user: instar-admin
    namespace: default
current-context: instar
preferences: {}
`;
}
