// kubectl as users with few permissions: what it prints when they are allowed, refused, and when they ask.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeUnless, temporaryFolder } from '@instar/testing';
import { findKubectls, Kubectl, missingKubectl, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROLES = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: default}
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader, namespace: default}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
`;

describeUnless(missingKubectl(), 'kubectl as a restricted user', () => {
  let server: ServerProcess;
  let admin: Kubectl;
  let roles: string;

  const folder = temporaryFolder();

  beforeAll(async () => {
    const tokens = join(folder, 'tokens.csv');
    roles = join(folder, 'roles.yaml');
    await writeFile(tokens, 'jane-token,jane,1\n');
    await writeFile(roles, ROLES);
    server = await ServerProcess.start({ flags: ['--token-auth-file', tokens] });
    admin = new Kubectl(findKubectls().at(-1)!, server.kubeconfig);
    expect((await admin.run(['auth', 'reconcile', '-f', roles])).code).toBe(0);
  });
  afterAll(async () => {
    admin?.remove();
    await server?.remove();
  });

  const jane = (...args: string[]) => admin.run([...args, '--token', 'jane-token']);

  it('reads what it may read', async () => {
    expect((await jane('get', 'configmaps')).code).toBe(0);
  });

  it('is refused with the words of Kubernetes', async () => {
    expect((await jane('get', 'secrets')).stderr).toBe(
      'Error from server (Forbidden): secrets is forbidden: User "jane" cannot list resource "secrets" in API ' +
        'group "" in the namespace "default"\n',
    );
  });

  it('is told what it can do', async () => {
    expect((await jane('auth', 'can-i', 'get', 'configmaps')).stdout).toBe('yes\n');
    expect((await jane('auth', 'can-i', 'delete', 'configmaps')).stdout).toBe('no\n');
  });

  it('lists its permissions', async () => {
    const { stdout } = await jane('auth', 'can-i', '--list');
    expect(stdout).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);
    expect(stdout).toMatch(/^selfsubjectreviews\.authentication\.k8s\.io +\[\] +\[\] +\[create\]$/m);
  });

  it('knows who it is', async () => {
    expect((await jane('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).stdout).toBe('jane');
  });

  it('reconciles roles without changing what is there', async () => {
    const { stdout } = await admin.run(['auth', 'reconcile', '-f', roles]);
    expect(stdout).toContain('role.rbac.authorization.k8s.io/reader reconciled');
  });

  it('cannot act as another user', async () => {
    const { stderr } = await jane('get', 'configmaps', '--as', 'joe');
    expect(stderr).toContain('User "jane" cannot impersonate');
  });
});
