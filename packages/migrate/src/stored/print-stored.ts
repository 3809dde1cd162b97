// Prints what is stored.
import type { InferredStored, KnownStored, Stored } from './read-stored.ts';

const MAX_NAMESPACES = 10;
const MAX_FAILURES = 20;

const number = (value: number): string => value.toLocaleString('en');
const objects = (count: number): string => `${number(count)} ${count === 1 ? 'object' : 'objects'}`;
const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** What is stored in which version, as text. */
export function printStored(stored: Stored): string {
  return `${(stored.known ? known(stored) : inferred(stored)).join('\n')}\n`;
}

function known(stored: KnownStored): string[] {
  const lines = [`${stored.crd}: ${objects(stored.objects)}, written in ${stored.storageVersion}`, ''];
  for (const { version, objects: count, defined, served, namespaces = [] } of stored.versions) {
    const notes = [
      defined ? undefined : 'not in the definition',
      defined && !served ? 'not served' : undefined,
    ].filter(Boolean);
    lines.push(`  ${version}: ${objects(count)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`);
    const shown = [...namespaces].sort((a, b) => b.objects - a.objects).slice(0, MAX_NAMESPACES);
    for (const { namespace, objects: inside } of shown) lines.push(`    ${namespace}: ${number(inside)}`);
    if (namespaces.length > shown.length)
      lines.push(`    … and ${namespaces.length - shown.length} more namespaces`);
  }
  lines.push('', `status.storedVersions: ${list(stored.claimed)}: ${honesty(stored)}`);
  lines.push(...managedFieldLines(stored.managedFields));
  if (stored.conversions !== undefined) lines.push(...conversionLines(stored.conversions));
  return lines;
}

function honesty({ honest, unclaimed, prunable }: KnownStored): string {
  if (honest) return 'true';
  const faults: string[] = [];
  if (unclaimed.length > 0) faults.push(`objects are stored in ${list(unclaimed)}, which it leaves out`);
  if (prunable.length > 0) faults.push(`nothing is stored in ${list(prunable)}`);
  return `not true: ${faults.join('; ')}`;
}

function managedFieldLines(managedFields: Stored['managedFields']): string[] {
  if (managedFields.length === 0) return ['managedFields: none'];
  const named = managedFields.map(
    ({ version, objects: count, defined }) => `${version} (${objects(count)}${defined ? '' : '; dead'})`,
  );
  return [`managedFields name: ${named.join(', ')}`];
}

function conversionLines({
  to,
  tried,
  failures,
  continue: more,
}: NonNullable<KnownStored['conversions']>): string[] {
  if (tried === 0) return [`conversion to ${to}: nothing has to be converted`];
  const lines = [
    `conversion to ${to}: tried ${number(tried)}${more === undefined ? '' : ' (not all)'}, ${number(failures.length)} failed`,
  ];
  for (const { namespace, name, version, reason } of failures.slice(0, MAX_FAILURES))
    lines.push(`  ${namespace === undefined ? '' : `${namespace}/`}${name} (${version}): ${reason}`);
  if (failures.length > MAX_FAILURES)
    lines.push(`  … and ${failures.length - MAX_FAILURES} more (-o json shows them)`);
  return lines;
}

function inferred(stored: InferredStored): string[] {
  return [
    `${stored.crd}: this server does not report in which version objects are stored (only an Instar server does).`,
    'What can be inferred:',
    `  new writes are stored in ${stored.storageVersion}`,
    `  status.storedVersions: ${list(stored.claimed)}: every version that was ever the storage version since it was last cleaned up.`,
    stored.claimed.length === 1 && stored.claimed[0] === stored.storageVersion
      ? `    If it was never cleaned up without a migration, everything is stored in ${stored.storageVersion}.`
      : `    Objects may be stored in any of them; \`instar migrate ${stored.crd}\` makes sure that they are not.`,
    `  ${managedFieldLines(stored.managedFields)[0]}, of ${objects(stored.looked)} looked at${stored.more ? ' (there are more)' : ''}.`,
    '    They show through which version a client wrote, not how the object is stored.',
  ];
}
