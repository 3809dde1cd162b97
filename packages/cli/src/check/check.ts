// Runs `instar check` and prints what it found.
import { writeFile } from 'node:fs/promises';
import { run } from '../exit-with-message.ts';
import type { CheckFlags } from './flags.ts';
import { formatReport } from './formats/index.ts';
import { newBaseline, runCheck } from './run-check.ts';

export function checkAndPrint(old: string, next: string, flags: CheckFlags): Promise<void> {
  return run(async () => {
    const report = await runCheck(old, next, flags, Date.now());
    for (const warning of report.warnings) process.stderr.write(`warning: ${warning}\n`);
    const text = formatReport(report, flags);
    if (flags.output === undefined) process.stdout.write(text);
    else await writeFile(flags.output, text);
    if (flags.writeBaseline !== undefined) {
      await writeFile(flags.writeBaseline, `${JSON.stringify({ findings: newBaseline(report) }, null, 2)}\n`);
      return 0;
    }
    return report.failed ? 1 : 0;
  });
}
