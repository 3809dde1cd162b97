// A cluster cannot be found in the kubeconfig: no such file, context or user, or a setting that is invalid or
// not supported.

export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
