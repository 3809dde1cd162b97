// Long work over many objects, done a few milliseconds at a time, so that it does not keep the event loop
// from others.

const SLICE_MS = 8;
/** Looking at the clock costs too; it is done once in so many steps. */
const STEPS = 64;

export async function inSlices<T>(
  items: readonly T[],
  step: (item: T, index: number) => void,
): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (let i = 0; i < items.length; i++) {
    step(items[i]!, i);
    if (i % STEPS !== STEPS - 1 || performance.now() < end) continue;
    await new Promise((resume) => setImmediate(resume));
    end = performance.now() + SLICE_MS;
  }
}
