// The status of a lens: whether it is in effect, and whether it joins all versions of its definition.
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

/** `others` are all lenses for the same definition, the one in effect first. */
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
  const notAccepted = (reason: string, message: string): LensCondition => ({
    type: 'Accepted',
    status: 'False',
    reason,
    message,
  });
  if (stored.lens === undefined) return notAccepted('Malformed', stored.faults.join('; '));
  if (first !== undefined && first.name !== stored.name)
    return notAccepted('Duplicate', `${first.name} converts ${stored.crd} already`);
  if (crd?.spec.conversion?.strategy === 'Webhook')
    return notAccepted(
      'WebhookConfigured',
      `${stored.crd} asks for conversion by webhook; set strategy None`,
    );
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
  if (missing.length === 0) return analyzed(lens!, crd, versions);
  const message = `no lens leads to ${missing.join(', ')}: objects cannot be converted there`;
  // One version alone needs no conversion.
  if (versions.length === 1)
    return { type, status: 'True', reason: 'OneVersion', message: `the definition has ${versions[0]} alone` };
  return { type, status: 'False', reason: 'VersionsMissing', message };
}

const MAX_LISTED_ERRORS = 5;

/** Analyzes each step by both schemas, before any object is converted. */
function analyzed(
  lens: CompiledLens,
  crd: CustomResourceDefinition,
  versions: readonly string[],
): LensCondition {
  const type = 'Complete';
  const errors = analyze(lens, lensSchemas(crd)).findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0)
    return { type, status: 'True', reason: 'AllVersionsJoined', message: `joins ${versions.join(', ')}` };
  const listed = errors
    .slice(0, MAX_LISTED_ERRORS)
    .map(({ from, to, path, message }) => `${from} to ${to}, ${path}: ${message}`);
  const more = errors.length > listed.length ? [`and ${errors.length - listed.length} more`] : [];
  return { type, status: 'False', reason: 'SchemasDisagree', message: [...listed, ...more].join('; ') };
}
