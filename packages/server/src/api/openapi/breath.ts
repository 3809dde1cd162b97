// Long work on the event loop, done in short stretches: other requests are answered in between.

const STRETCH_MS = 8;

export class Breath {
  #since = performance.now();

  /**
   * Resolves at once for most calls; when the stretch has been long enough, after others have had their turn.
   */
  async taken(): Promise<void> {
    if (performance.now() - this.#since < STRETCH_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
