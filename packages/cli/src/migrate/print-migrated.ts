// Prints the result of a migration.
import type { Migrated, Pruning } from '@instar/migrate';

const number = (value: number): string => value.toLocaleString('en');

export function printMigrated(migrated: Migrated, report?: string): string {
  const { dryRun, counts, pruning, lens } = migrated;
  const lines = [headOf(migrated)];
  const add = (count: number, text: string): void =>
    void (count > 0 && lines.push(`  ${number(count)} ${text}`));
  add(counts.rewritten, dryRun ? 'would be rewritten' : 'rewritten');
  add(
    counts.repaired,
    dryRun ? 'of them would have managedFields repaired' : 'of them with managedFields repaired',
  );
  add(counts.current, lens === undefined ? 'stored in it already' : `without fields of ${lens.from}`);
  add(counts.overtaken, 'written by others meanwhile');
  add(counts.gone, 'deleted by others meanwhile');
  add(
    counts.failed,
    `${dryRun ? 'would fail' : 'failed'}${report === undefined ? ' (--report FILE tells which and why)' : `: see ${report}`}`,
  );
  if (lines.length === 1) lines.push('  there are no objects');
  if (pruning !== undefined) lines.push(pruningText(pruning));
  return `${lines.join('\n')}\n`;
}

function headOf({ crd, storageVersion, dryRun, lens }: Migrated): string {
  if (lens !== undefined)
    return `${crd}, ${dryRun ? 'if its objects were brought' : 'objects brought'} from the form of ${lens.from} into that of ${lens.to}:`;
  return dryRun ? `${crd}, if it were migrated to ${storageVersion}:` : `${crd} in ${storageVersion}:`;
}

function pruningText(pruning: Pruning): string {
  if ('kept' in pruning) return `status.storedVersions stays ${pruning.kept.join(', ')}: ${pruning.reason}`;
  const stored = pruning.storedVersions.join(', ');
  return pruning.pruned.length === 0
    ? `status.storedVersions is ${stored}`
    : `status.storedVersions is now ${stored}; ${pruning.pruned.join(', ')} taken out`;
}
