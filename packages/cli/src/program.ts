// The commands and what they share.
import type { Command } from 'commander';
import { backupCommand } from './backup/command.ts';
import { checkCommand } from './check/command.ts';
import { checkWebhookCommand } from './check/webhook/command.ts';
import { convertCommand } from './convert/command.ts';
import { copyStoreCommand } from './copy-store/command.ts';
import { envtestCommand } from './envtest/command.ts';
import { explainCommand } from './explain/command.ts';
import { initCommand } from './init/command.ts';
import { lensCommand } from './lens/command.ts';
import { lintCommand } from './lint/command.ts';
import { migrateCommand } from './migrate/command.ts';
import { restoreCommand } from './restore/command.ts';
import { retireCommand } from './retire/command.ts';
import { serveCommand } from './serve/command.ts';
import { snapshotCommand } from './snapshot/command.ts';
import { snapshotLabellerCommand } from './snapshot-labeller/command.ts';
import { snapshotWebhookCommand } from './snapshot-webhook/command.ts';
import { storedCommand } from './stored/command.ts';
import { testCommand } from './test/command.ts';
import { UsageProgram } from './usage-program.ts';
import { versionCommand } from './version-command.ts';
import { webhookCommand } from './webhook/command.ts';

export function createProgram(): Command {
  return new UsageProgram('instar')
    .description(
      'Kubernetes-style APIs that evolve without breaking anyone: an API server and the tools around it.',
    )
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addCommand(serveCommand())
    .addCommand(envtestCommand())
    .addCommand(storedCommand())
    .addCommand(migrateCommand())
    .addCommand(retireCommand())
    .addCommand(initCommand())
    .addCommand(lensCommand())
    .addCommand(convertCommand())
    .addCommand(testCommand())
    .addCommand(webhookCommand())
    .addCommand(snapshotCommand())
    .addCommand(snapshotWebhookCommand())
    .addCommand(snapshotLabellerCommand())
    .addCommand(checkCommand())
    .addCommand(lintCommand())
    .addCommand(explainCommand())
    .addCommand(checkWebhookCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(copyStoreCommand())
    .addCommand(versionCommand())
    .addHelpText(
      'after',
      '\nRun `instar COMMAND --help` for everything that a command can do. instar --version, -v or -V is instar version.',
    );
}
