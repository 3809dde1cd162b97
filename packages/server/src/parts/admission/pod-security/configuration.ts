// PodSecurityConfiguration: the levels of namespaces whose labels say nothing, and who is exempt.
import { nameIsDnsLabel, nameIsDnsSubdomain } from '@instar/go';
import {
  aggregateMessage,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import {
  type LevelVersion,
  type PodSecurityPolicy,
  parseLevel,
  parseVersion,
  type StandardVersion,
} from './level.ts';

export interface PodSecurityConfiguration {
  readonly defaults: PodSecurityPolicy;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `pod-security.admission.config.k8s.io/${version}`,
);
const MODES = ['enforce', 'warn', 'audit'] as const;

/** Without a configuration. */
const NO_POD_SECURITY = configurationOf({}, []);

/** Of all configurations of plug-ins, of which it must be the only one. Throws an Error. */
export function podSecurityAmong(
  configurations: Readonly<Record<string, JsonValue>>,
): PodSecurityConfiguration {
  const { PodSecurity: own, ...others } = configurations;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new Error(`the admission plugin ${JSON.stringify(other)} has no configuration here`);
  return own === undefined ? NO_POD_SECURITY : parsePodSecurity(own);
}

/** Throws an Error that names what is wrong. */
function parsePodSecurity(value: JsonValue): PodSecurityConfiguration {
  if (!isJsonObject(value)) throw new Error('the configuration of PodSecurity is not an object');
  const { apiVersion = '', kind = '', ...rest } = value;
  if (kind !== 'PodSecurityConfiguration' || !VERSIONS.includes(String(apiVersion)))
    throw new Error(
      `the configuration of PodSecurity must have kind PodSecurityConfiguration and apiVersion ${VERSIONS[0]}, not ${String(kind)} of ${String(apiVersion)}`,
    );
  const errors: FieldError[] = [];
  const configuration = configurationOf(rest, errors);
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  return configuration;
}

function configurationOf(value: JsonObject, errors: FieldError[]): PodSecurityConfiguration {
  unknownFields(value, ['defaults', 'exemptions'], FieldPath.of(), errors);
  const defaults = objectAt(value, 'defaults', errors);
  const exemptions = objectAt(value, 'exemptions', errors);
  const path = FieldPath.of('defaults');
  unknownFields(
    defaults,
    MODES.flatMap((mode) => [mode, `${mode}-version`]),
    path,
    errors,
  );
  unknownFields(
    exemptions,
    ['usernames', 'namespaces', 'runtimeClasses'],
    FieldPath.of('exemptions'),
    errors,
  );
  const levels = Object.fromEntries(
    MODES.map((mode) => [mode, levelOf(defaults, mode, path, errors)]),
  ) as Record<(typeof MODES)[number], LevelVersion>;
  const names = (key: string, faultsOf: (name: string) => string[]): Set<string> =>
    namesAt(exemptions, key, faultsOf, errors);
  return {
    defaults: levels,
    exemptions: {
      namespaces: names('namespaces', (name) => nameIsDnsLabel(name, false)),
      runtimeClasses: names('runtimeClasses', (name) => nameIsDnsSubdomain(name, false)),
      usernames: names('usernames', (name) => (name === '' ? ['username must not be empty'] : [])),
    },
  };
}

function unknownFields(value: JsonObject, known: readonly string[], path: FieldPath, errors: FieldError[]) {
  for (const key of Object.keys(value))
    if (!known.includes(key)) errors.push(fieldErrors.forbidden(path.child(key), 'unknown field'));
}

function objectAt(value: JsonObject, key: string, errors: FieldError[]): JsonObject {
  const found = value[key] ?? {};
  if (isJsonObject(found)) return found;
  errors.push(fieldErrors.invalid(FieldPath.of(key), found, 'must be an object'));
  return {};
}

function levelOf(defaults: JsonObject, mode: string, path: FieldPath, errors: FieldError[]): LevelVersion {
  const read = <T>(
    key: string,
    otherwise: string,
    parse: (text: string) => T | { readonly fault: string },
  ) => {
    const text = String(defaults[key] ?? otherwise);
    const parsed = parse(text === '' ? otherwise : text);
    if (typeof parsed !== 'object' || parsed === null || !('fault' in parsed)) return parsed as T;
    errors.push(fieldErrors.invalid(path.child(key), text, parsed.fault as string));
    return undefined;
  };
  return {
    level: read(mode, 'privileged', parseLevel) ?? 'restricted',
    version: read<StandardVersion>(`${mode}-version`, 'latest', parseVersion) ?? 'latest',
  };
}

function namesAt(
  exemptions: JsonObject,
  key: string,
  faultsOf: (name: string) => string[],
  errors: FieldError[],
): Set<string> {
  const path = FieldPath.of('exemptions', key);
  const names = new Set<string>();
  const given = exemptions[key] ?? [];
  if (!Array.isArray(given)) {
    errors.push(fieldErrors.invalid(path, given, 'must be a list of names'));
    return names;
  }
  given.map(String).forEach((name, index) => {
    const faults = faultsOf(name);
    if (faults.length > 0) errors.push(fieldErrors.invalid(path.index(index), name, faults.join(', ')));
    else if (names.has(name)) errors.push(fieldErrors.duplicate(path.index(index), name));
    names.add(name);
  });
  return names;
}
