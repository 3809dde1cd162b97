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
  switch (fateOf(missing, process.env['CI'] === 'true')) {
    case 'run': {
      const [options, body] = suite.length === 2 ? suite : [{}, suite[0]];
      describe(name, options, body);
      break;
    }
    case 'fail':
      it(name, () => {
        throw new Error(missing);
      });
      break;
    case 'skip':
      it.skip(`${name} (skipped: ${missing})`);
  }
}

export function fateOf(missing: string | undefined, isCi: boolean): 'run' | 'fail' | 'skip' {
  if (missing === undefined) return 'run';
  return isCi ? 'fail' : 'skip';
}
