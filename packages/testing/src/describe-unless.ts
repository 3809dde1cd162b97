// Suites that need more than the clone: data beside it, or programs that might not be installed.
import { describe, it } from 'vitest';

/**
 * A suite that is skipped with a reason if something is missing. In CI it fails instead, so that no test is
 * skipped unnoticed. In both cases the body does not run.
 */
export function describeUnless(
  missing: string | undefined,
  name: string,
  ...suite: [body: () => void] | [options: { readonly timeout?: number }, body: () => void]
): void {
  switch (suiteMode(missing, process.env['CI'] === 'true')) {
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

export function suiteMode(missing: string | undefined, isCi: boolean): 'run' | 'fail' | 'skip' {
  if (missing === undefined) return 'run';
  return isCi ? 'fail' : 'skip';
}
