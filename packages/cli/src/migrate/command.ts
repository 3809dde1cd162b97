// `instar migrate`: rewrites every object of a definition in the storage version.
import { Command, InvalidArgumentError } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import type { MigrateFlags } from './migrate.ts';

export function migrateCommand(): Command {
  const command = new Command('migrate')
    .description('rewrite every object of a custom resource in the storage version')
    .argument('<crd>', 'the definition: crontabs.stable.example.com, or just crontabs')
    .option('--to <version>', 'make this the storage version first')
    .option('--dry-run', 'change nothing; report what would change or fail')
    .option('--concurrency <n>', 'objects at a time', positive, 16)
    .option('--rate <n>', 'objects per second at most; 0: no limit', number, 0)
    .option('--page <n>', 'objects per page', positive, 500)
    .option('--state <file>', 'the file for its progress (default: .instar-migrate-CRD.json)')
    .option('--resume', 'resume an earlier run')
    .option('--restart', 'start over, ignoring an earlier run')
    .option(
      '--report <file>',
      'write a line of JSON for each object that failed (with --dry-run: for each that would change)',
    )
    .option('--no-prune', 'leave status.storedVersions as it is')
    .option('--server-side', 'let the server do it, with a StorageVersionMigration')
    .option('--lens <file>', 'without a webhook: apply a lens to every object, judging by its fields alone')
    .option('--back', 'with --lens: in reverse, to roll back')
    .option('-y, --yes', 'do not ask')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (crd: string, flags: MigrateFlags) => {
      const { migrateDefinition } = await import('./migrate.ts');
      await migrateDefinition(crd, flags);
    });
  return addClusterFlags(command);
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number, 0 or more.');
  return value;
}

function positive(text: string): number {
  const value = number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

const AFTER_HELP = `
It works on any Kubernetes cluster. An update by another client always wins: it has migrated the object.
SIGINT stops after the objects in flight; --resume continues from there, also after a crash. SIGUSR2 pauses and resumes.
Versions are taken out of status.storedVersions only when it is proved that nothing is stored in them.

Exit codes: 0 all objects are migrated; 1 some failed; 2 it could not begin; 3 the server was lost; 130 stopped.`;
