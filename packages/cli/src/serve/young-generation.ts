// Bounds the young generation of V8's heap. By itself it grows to twice 16 MB as soon as many requests are in
// flight, and the limit can be set only on Node's command line, which we do not control. The growth factor
// can be changed at any time: to no growth, once it is large enough. See
// docs/decisions/0014-memory-of-the-embedded-store.md.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const USUAL_FACTOR = 2;
const NO_GROWTH = 1;

/** From now on it grows to about so many bytes at most. */
export function boundYoungGeneration(bytes: number): void {
  let factor = USUAL_FACTOR;
  // V8 shrinks it under little load, so growth must be allowed again. It grows only after a collection, which
  // is when it is checked.
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
