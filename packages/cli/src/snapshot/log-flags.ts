// How much the long-running snapshot commands log, and in which form.
import type { LogLevel } from '@instar/serving';
import { type Command, Option } from 'commander';

export interface LogFlags {
  readonly logLevel: LogLevel;
  readonly logFormat?: 'json' | 'text';
}

export function addLogFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--log-level <level>', 'what is logged')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'json, or text for people (default: text on a terminal, else json)',
      ).choices(['json', 'text']),
    );
}
