// Runs `instar check` and prints what it found.
import { run } from '../exit-with-message.ts';
import { writeOutput } from '../write-output.ts';
import type { CheckFlags } from './flags.ts';
import { formatReport } from './formats/index.ts';
import { newBaseline, runCheck } from './run-check.ts';

export function checkAndPrint(old: string, next: string, flags: CheckFlags): Promise<void> {
  return run(async () => {
    const report = await runCheck(old, next, flags, Date.now());
    for (const warning of report.warnings) process.stderr.write(`warning: ${warning}\n`);
    const text = formatReport(report, flags);
    if (flags.output === undefined) process.stdout.write(text);
    else await writeOutput(flags.output, text, '--output');
    if (flags.writeBaseline !== undefined) {
      await writeOutput(
        flags.writeBaseline,
        `${JSON.stringify({ findings: newBaseline(report) }, null, 2)}\n`,
        '--write-baseline',
      );
      return 0;
    }
    return report.failed ? 1 : 0;
  });
}
