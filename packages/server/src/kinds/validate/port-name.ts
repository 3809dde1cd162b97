// Names of ports, as those of containers.
const MAX_BYTES = 15;

/** Reasons why the name is refused. */
export function portNameReasons(name: string): string[] {
  const reasons: string[] = [];
  if (Buffer.byteLength(name) > MAX_BYTES) reasons.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    reasons.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) reasons.push('must contain at least one letter (a-z)');
  if (name.includes('--')) reasons.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) reasons.push('must not begin or end with a hyphen');
  return reasons;
}
