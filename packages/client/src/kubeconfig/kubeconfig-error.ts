// A cluster cannot be found in the kubeconfig: no such file, context or user, or a setting that is invalid or
// not supported.

/** A kubeconfig that is invalid or names what it does not have. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
