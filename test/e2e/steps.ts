// A session at the command line as a table: commands and their expected output. The steps of a table depend
// on each other, in order.
import { type Kubectl, words } from '@instar/testing/command';
import { expect } from 'vitest';

/** A text or pattern that must occur, or several that must all occur. */
type Expected = string | RegExp | readonly (string | RegExp)[];

export interface Step {
  /** The command line after `kubectl`. */
  readonly type: string;
  readonly stdin?: string;
  /** Of standard output. */
  readonly out?: Expected;
  /** Of standard error. */
  readonly err?: Expected;
  /** 0 by default. */
  readonly code?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Not for the releases between the oldest and the newest. */
  readonly extra?: true;
  /** The first minor release whose kubectl can do it. */
  readonly since?: number;
  /** The first minor release whose kubectl no longer does it, or does it differently. */
  readonly before?: number;
}

/**
 * Runs all steps, and returns those with unexpected output; after a step that fails, the next one is still
 * run.
 */
export async function failuresOf(
  steps: readonly Step[],
  kubectl: Kubectl,
  namespace: string,
): Promise<string[]> {
  const failures: string[] = [];
  const can = ({ since = 0, before = Infinity }: Step): boolean =>
    kubectl.minor >= since && kubectl.minor < before;
  for (const step of steps.filter(can)) {
    try {
      await runStep(step, kubectl, namespace);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  return failures;
}

export async function runStep(step: Step, kubectl: Kubectl, namespace: string): Promise<void> {
  const args = ['--namespace', namespace, ...words(step.type.replaceAll('$NS', namespace))];
  const { code, stdout, stderr } = await kubectl.run(args, {
    ...(step.stdin !== undefined && { stdin: step.stdin.replaceAll('$NS', namespace) }),
    ...(step.env !== undefined && { env: step.env }),
  });
  const said = `kubectl ${args.join(' ')}\n${stdout}${stderr}`;
  expect(code, said).toBe(step.code ?? 0);
  expectText(stdout, step.out, said);
  expectText(stderr, step.err, said);
}

function expectText(text: string, expected: Expected | undefined, said: string): void {
  const all =
    expected === undefined
      ? []
      : typeof expected === 'string' || expected instanceof RegExp
        ? [expected]
        : expected;
  for (const one of all) {
    if (typeof one === 'string') expect(text, said).toContain(one);
    else expect(text, said).toMatch(one);
  }
}
