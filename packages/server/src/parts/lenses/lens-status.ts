// What the status of a lens says: whether it is the one that counts, and whether it joins all versions of its
// definition.
import type { CustomResourceDefinition } from '@instar/crd';
import { analyze } from '@instar/lens';
import { lensSchemas } from './lens-schemas.ts';
import type { CompiledLens, StoredLens } from './lenses.ts';

export interface LensCondition {
  readonly type: 'Accepted' | 'Complete';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** `others` are all lenses for the same definition, the one that counts first. */
export function lensConditions(
  stored: StoredLens,
  others: readonly StoredLens[],
  crd: CustomResourceDefinition | undefined,
): LensCondition[] {
  return [accepted(stored, others[0], crd), complete(stored, crd)];
}

function accepted(
  stored: StoredLens,
  first: StoredLens | undefined,
  crd: CustomResourceDefinition | undefined,
): LensCondition {
  const no = (reason: string, message: string): LensCondition => ({
    type: 'Accepted',
    status: 'False',
    reason,
    message,
  });
  if (stored.lens === undefined) return no('Malformed', stored.faults.join('; '));
  if (first !== undefined && first.name !== stored.name)
    return no('Duplicate', `${first.name} converts ${stored.crd} already`);
  if (crd?.spec.conversion?.strategy === 'Webhook')
    return no('WebhookConfigured', `${stored.crd} asks for conversion by webhook; set strategy None`);
  return {
    type: 'Accepted',
    status: 'True',
    reason: 'Accepted',
    message: 'the lens is well formed and the only one for its definition',
  };
}

function complete({ lens, crd: name }: StoredLens, crd: CustomResourceDefinition | undefined): LensCondition {
  const type = 'Complete';
  if (crd === undefined)
    return { type, status: 'Unknown', reason: 'NoDefinition', message: `there is no definition ${name}` };
  const versions = crd.spec.versions.map((version) => version.name);
  const missing = versions.filter((version) => lens === undefined || !lens.versions.includes(version));
  if (missing.length === 0) return read(lens!, crd, versions);
  const message = `no lens leads to ${missing.join(', ')}: objects cannot be converted there`;
  // One version alone needs no conversion.
  if (versions.length === 1)
    return { type, status: 'True', reason: 'OneVersion', message: `the definition has ${versions[0]} alone` };
  return { type, status: 'False', reason: 'VersionsMissing', message };
}

const MAX_TOLD = 5;

/** Over both schemas of each step, before any object comes. */
function read(lens: CompiledLens, crd: CustomResourceDefinition, versions: readonly string[]): LensCondition {
  const type = 'Complete';
  const errors = analyze(lens, lensSchemas(crd)).findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0)
    return { type, status: 'True', reason: 'AllVersionsJoined', message: `joins ${versions.join(', ')}` };
  const told = errors
    .slice(0, MAX_TOLD)
    .map(({ from, to, path, message }) => `${from} to ${to}, ${path}: ${message}`);
  const more = errors.length > told.length ? [`and ${errors.length - told.length} more`] : [];
  return { type, status: 'False', reason: 'SchemasDisagree', message: [...told, ...more].join('; ') };
}
