// Prints the steps of a retirement.
import type { RetirementState } from './retirement-state.ts';
import type { RetirementStep } from './steps.ts';

const MARKS = { done: '✓', open: '→', blocked: '✗' } as const;
const MAX_NOTES = 12;

/** The steps of a retirement as text. */
export function printSteps({ name, version }: RetirementState, steps: readonly RetirementStep[]): string {
  const lines = [`Retiring ${version} of ${name}`, ''];
  for (const [index, step] of steps.entries()) {
    lines.push(`${MARKS[step.state]} ${index + 1}. ${step.title}`);
    for (const note of step.notes.slice(0, MAX_NOTES)) lines.push(`       ${note}`);
    if (step.notes.length > MAX_NOTES) lines.push(`       … and ${step.notes.length - MAX_NOTES} more`);
  }
  const left = steps.filter(({ state }) => state !== 'done');
  lines.push(
    '',
    left.length === 0 ? `${version} is gone.` : `${left.length} of ${steps.length} steps are left.`,
  );
  return `${lines.join('\n')}\n`;
}
