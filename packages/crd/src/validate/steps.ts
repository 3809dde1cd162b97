// Work in steps: a schema of a megabyte takes longer to validate than a server may ignore other requests.

/** Yields where other work may be done. */
export type Steps<T> = Generator<undefined, T, unknown>;

/** All steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
