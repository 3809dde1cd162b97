// A patch that does not apply. The texts are those of the libraries that kube-apiserver uses.

/** A patch that cannot be applied. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/** The operation `test` found another value. */
export class PatchTestError extends PatchError {}
