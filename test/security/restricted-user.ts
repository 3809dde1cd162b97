// A server and a user with few permissions in one namespace, who tries to get where they do not belong. Paths
// and headers are sent as they are: other clients would normalize them.
import { writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, expect } from 'vitest';

export const GROUP = 'rbac.authorization.k8s.io';
export const RBAC = `/apis/${GROUP}/v1`;
const TOKEN = 'mallory-token';

type Headers = Record<string, string | string[]>;

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

export class RestrictedUser {
  api!: EmbeddedApi;

  /** Before all tests of the file: what the user may do in the namespace default, where two secrets are. */
  constructor(rules: readonly object[], clusterRules: readonly object[] = []) {
    const folder = temporaryFolder();
    beforeAll(async () => {
      const tokenAuthFile = join(folder, 'tokens.csv');
      writeFileSync(tokenAuthFile, `${TOKEN},mallory,1,guests\n`, { mode: 0o600 });
      this.api = await EmbeddedApi.start({ tokenAuthFile });
      await this.#grant('Role', rules, '/namespaces/default');
      if (clusterRules.length > 0) await this.#grant('ClusterRole', clusterRules, '/cluster');
      for (const name of ['mine', 'other'])
        await this.create('/api/v1/namespaces/default/secrets', {
          metadata: { name },
          stringData: { a: 'secret' },
        });
    });
    afterAll(() => this.api.close());
  }

  async #grant(kind: string, rules: readonly object[], prefix: string): Promise<void> {
    const isCluster = kind === 'ClusterRole';
    const url = (plural: string) => `${RBAC}${prefix}${isCluster ? '' : '/'}${plural}`;
    await this.create(url('roles'), { metadata: { name: 'mallory' }, rules });
    await this.create(url('rolebindings'), {
      metadata: { name: 'mallory' },
      subjects: [{ kind: 'User', apiGroup: GROUP, name: 'mallory' }],
      roleRef: { apiGroup: GROUP, kind, name: 'mallory' },
    });
  }

  /** As the admin. */
  async create(path: string, body: unknown): Promise<void> {
    const { status } = await this.api.send('POST', path, body);
    expect(status).toBe(201);
  }

  /** As the user, unless the headers say otherwise. */
  send(method: string, path: string, headers: Headers = {}, body?: unknown): Promise<RawAnswer> {
    const { hostname, port } = new URL(this.api.server.url);
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(
        {
          hostname,
          port,
          path,
          method,
          ca: this.api.server.caCertificate,
          agent: false,
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += String(chunk);
            // A watch does not end by itself.
            if (path.includes('watch')) response.destroy();
          });
          response.on('close', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** As it is in the message of a Status, which is JSON. */
export const cannot = (
  verb: string,
  resource: string,
  where = 'in the namespace \\"default\\"',
  group = '',
): string =>
  `User \\"mallory\\" cannot ${verb} resource \\"${resource}\\" in API group \\"${group}\\" ${where}`;
export const AT_CLUSTER = 'at the cluster scope';
