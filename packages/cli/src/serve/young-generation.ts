// Bounds the part of V8's heap in which objects are new. By itself it grows to twice 16 MB as soon as many
// requests are under way at once, and the limit can be set only on Node's command line, which is not ours.
// How much it grows in one step can be changed at any time: by nothing, once it is large enough. See
// docs/decisions/0014-memory-of-the-embedded-store.md.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const USUAL_FACTOR = 2;
const NO_GROWTH = 1;

/** From now on it grows no further than to about so many bytes. */
export function boundYoungGeneration(bytes: number): void {
  let factor = USUAL_FACTOR;
  // V8 makes it smaller when little happens, so it must be let grow again. It grows only when it was
  // collected, and then we look at it.
  const regulate = (): void => {
    const size =
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? bytes;
    const wanted = size < bytes ? USUAL_FACTOR : NO_GROWTH;
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`);
    factor = wanted;
  };
  new PerformanceObserver(regulate).observe({ entryTypes: ['gc'] });
  regulate();
}
