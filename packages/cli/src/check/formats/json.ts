// The whole report for programs.
import type { CheckReport } from '../report.ts';

export function asJson(report: CheckReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
