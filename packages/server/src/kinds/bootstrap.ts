// The namespaces that a server creates at start if they are missing, as kube-apiserver does: clients rely on
// them. Other objects are brought in by parts/bootstrap and parts/rbac.
import type { KubeObject } from '@instar/machinery';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const;

/** These must not be deleted: "namespaces "default" is forbidden: this namespace may not be deleted". */
export const PROTECTED_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Created through the usual write path, which fills in the rest; an existing one is not changed.
 */
export function bootstrapObjects(): KubeObject[] {
  return NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}
