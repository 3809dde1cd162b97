// One report in five formats.
import type { CheckFlags } from '../flags.ts';
import type { CheckReport } from '../report.ts';
import { asJson } from './json.ts';
import { asJunit } from './junit.ts';
import { asMarkdown } from './markdown.ts';
import { asSarif } from './sarif.ts';
import { asText } from './text.ts';

export function formatReport(
  report: CheckReport,
  { format, all, color }: Pick<CheckFlags, 'format' | 'all' | 'color'>,
): string {
  switch (format) {
    case 'text':
      return asText(report, { all: all === true, color });
    case 'json':
      return asJson(report);
    case 'sarif':
      return asSarif(report);
    case 'markdown':
      return asMarkdown(report, all === true);
    case 'junit':
      return asJunit(report);
  }
}
