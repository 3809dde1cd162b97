// The objects that a fresh server creates where they are missing, as kube-apiserver does: clients take these
// namespaces for granted. Nothing else: no kubernetes service (there is no network to reach it through), no
// roles (authorization brings its own).
import type { KubeObject } from '@instar/machinery';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const;

/** These may not be deleted: "namespaces "default" is forbidden: this namespace may not be deleted". */
export const PROTECTED_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * To be created through the usual write path, which fills in the rest; one that is there already is left as
 * it is.
 */
export function bootstrapObjects(): KubeObject[] {
  return NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}
