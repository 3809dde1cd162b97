// The steps of a retirement, for people.
import type { Standing } from './standing.ts';
import type { Step } from './steps.ts';

const MARKS = { done: '✓', open: '→', blocked: '✗' } as const;
const MAX_NOTES = 12;

export function printSteps({ name, version }: Standing, steps: readonly Step[]): string {
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
