// --runtime-config: which API versions are served. Every version that this server has is always served, so
// asking for one of them is fine; asking for another, or to turn one off, is refused with the reason.

export type RuntimeConfig = Readonly<Record<string, string>>;

const GROUPS_OF_VERSIONS: ReadonlySet<string> = new Set([
  'api/all',
  'api/ga',
  'api/beta',
  'api/alpha',
  'api/legacy',
]);

/** Throws if the configuration would not have its effect. `served` has group/version, `v1` for the core. */
export function checkRuntimeConfig(config: RuntimeConfig, served: ReadonlySet<string>): void {
  for (const [key, value] of Object.entries(config)) {
    if (value !== '' && value !== 'true' && value !== 'false')
      throw new Error(`runtime-config: invalid value ${key}=${value}`);
    const problem = value === 'false' ? offProblem(key, served) : onProblem(key, served);
    if (problem !== undefined) throw new Error(`runtime-config ${key}=${value || 'true'}: ${problem}`);
  }
}

function onProblem(key: string, served: ReadonlySet<string>): string | undefined {
  if (GROUPS_OF_VERSIONS.has(key) || served.has(versionIn(key))) return undefined;
  return 'this server does not have that version';
}

function offProblem(key: string, served: ReadonlySet<string>): string | undefined {
  if (!GROUPS_OF_VERSIONS.has(key) && !served.has(versionIn(key))) return undefined;
  // There is no alpha version here.
  return key === 'api/alpha' ? undefined : 'versions of this server cannot be turned off';
}

/** Without the resource, and without the `api/` that the core group may have. */
function versionIn(key: string): string {
  const parts = key.split('/');
  if (parts[0] === 'api') return parts[1] ?? '';
  return /^v\d/.test(parts[0]!) ? parts[0]! : parts.slice(0, 2).join('/');
}
