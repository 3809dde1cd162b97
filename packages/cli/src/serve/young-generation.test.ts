import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const BUILT = new URL('../../dist/serve/young-generation.js', import.meta.url);

/**
 * The size of the young generation of a process in which much survives for a while. In a separate process,
 * since V8 flags are process-wide.
 */
function youngMegabytes(bound?: number): number {
  const script = `
    import { setImmediate as nextTurn } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { boundYoungGeneration } from '${BUILT}';
    ${bound === undefined ? '' : `boundYoungGeneration(${bound * 1024 ** 2});`}
    const kept = [];
    for (let round = 0; round < 400; round++) {
      for (let at = 0; at < 5_000; at++) kept[(round * 5_000 + at) % 300_000] = { at: [at] };
      await nextTurn();
    }
    console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return Number(stdout) / 1024 ** 2;
}

describe('the young generation', () => {
  it('grows to its bound and not much further', () => {
    expect(youngMegabytes()).toBeGreaterThan(16);
    const bounded = youngMegabytes(8);
    expect(bounded).toBeGreaterThanOrEqual(8);
    expect(bounded).toBeLessThanOrEqual(16);
  });
});
