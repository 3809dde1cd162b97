// What is wrong with how a cluster is named: no such file, context or user, or a setting that cannot be
// followed.

export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
