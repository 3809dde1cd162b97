// Suites that need more than the clone: data beside it, or programs that a machine may not have.
import { describe, it } from 'vitest';

/**
 * A suite, unless there is something missing for it: then it is skipped and says why. In CI it fails, so that
 * nothing that was meant to be tested is left out unseen. The body does not run then.
 */
export function describeUnless(
  missing: string | undefined,
  name: string,
  ...suite: [body: () => void] | [options: { readonly timeout?: number }, body: () => void]
): void {
  if (missing === undefined) {
    const [options, body] = suite.length === 2 ? suite : [{}, suite[0]];
    describe(name, options, body);
  } else if (process.env['CI'] === 'true') {
    it(name, () => {
      throw new Error(missing);
    });
  } else {
    it.skip(`${name} (skipped: ${missing})`);
  }
}
