// The outcome of a migration, for people.
import type { Migrated, Pruning } from '@instar/migrate';

const number = (value: number): string => value.toLocaleString('en');

export function printMigrated({ crd, storageVersion, dryRun, counts, pruning }: Migrated, report?: string): string {
  const lines = [dryRun ? `${crd}, if it were migrated to ${storageVersion}:` : `${crd} in ${storageVersion}:`];
  const add = (count: number, text: string): void => void (count > 0 && lines.push(`  ${number(count)} ${text}`));
  add(counts.rewritten, dryRun ? 'would be rewritten' : 'rewritten');
  add(counts.repaired, dryRun ? 'of them would have managedFields repaired' : 'of them with managedFields repaired');
  add(counts.current, 'were stored in it already');
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

function pruningText(pruning: Pruning): string {
  if ('kept' in pruning) return `status.storedVersions stays ${pruning.kept.join(', ')}: ${pruning.reason}`;
  const stored = pruning.storedVersions.join(', ');
  return pruning.pruned.length === 0
    ? `status.storedVersions is ${stored}`
    : `status.storedVersions is now ${stored}; ${pruning.pruned.join(', ')} taken out`;
}
