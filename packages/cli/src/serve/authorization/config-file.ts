// --authorization-config: the file with an AuthorizationConfiguration of apiserver.config.k8s.io, with the
// errors of kube-apiserver. Conditions of webhooks (matchConditions) are not supported, and refused.
import { isAbsolute } from 'node:path';
import { nameIsDnsSubdomain, parseGoDuration } from '@instar/go';
import {
  aggregateMessage,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseYaml,
} from '@instar/machinery';
import { readNamed } from '@instar/serving';
import { FlagError } from '../flag-error.ts';
import { type AuthorizerSettings, REFUSED_MODES, type WebhookSettings } from './modes.ts';

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);
const TYPES = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];
const MAX_TIMEOUT_MS = 30_000;

export async function readAuthorizationConfig(file: string): Promise<readonly AuthorizerSettings[]> {
  const faulty = (why: string): FlagError => new FlagError(`--authorization-config ${file}: ${why}`);
  const { value: config } = parseYaml(await readNamed(file));
  if (!isJsonObject(config) || config['kind'] !== 'AuthorizationConfiguration')
    throw faulty('it contains no AuthorizationConfiguration');
  if (!VERSIONS.includes(String(config['apiVersion'])))
    throw faulty(`its apiVersion must be one of ${VERSIONS.join(', ')}`);
  const authorizers = Array.isArray(config['authorizers']) ? config['authorizers'] : [];
  const objects = authorizers.map((item) => (isJsonObject(item) ? item : {}));
  const faults = faultsOf(objects);
  if (faults.length > 0) throw faulty(aggregateMessage(faults));
  const refused = objects.map(({ type }) => REFUSED_MODES.get(String(type))).find((why) => why !== undefined);
  if (refused !== undefined) throw faulty(refused);
  return objects.map(settingsOf);
}

function faultsOf(authorizers: readonly JsonObject[]): FieldError[] {
  if (authorizers.length === 0)
    return [fieldErrors.required('authorizers', 'at least one authorization mode must be defined')];
  const faults: FieldError[] = [];
  const types = new Set<string>();
  const names = new Set<string>();
  for (const [index, authorizer] of authorizers.entries()) {
    const path = FieldPath.of('authorizers').index(index);
    faults.push(...typeFaults(String(authorizer['type'] ?? ''), path, types));
    faults.push(...nameFaults(String(authorizer['name'] ?? ''), path, names));
    faults.push(...webhookFaults(authorizer, path.child('webhook')));
  }
  return faults;
}

function typeFaults(type: string, path: FieldPath, known: Set<string>): FieldError[] {
  const at = path.child('type');
  if (type === '') return [fieldErrors.required(at)];
  if (!TYPES.includes(type)) return [fieldErrors.notSupported(at, type, TYPES)];
  if (type !== 'Webhook' && known.has(type)) return [fieldErrors.duplicate(at, type)];
  known.add(type);
  return [];
}

function nameFaults(name: string, path: FieldPath, known: Set<string>): FieldError[] {
  const at = path.child('name');
  if (name === '') return [fieldErrors.required(at)];
  if (known.has(name)) return [fieldErrors.duplicate(at, name)];
  known.add(name);
  const faults = nameIsDnsSubdomain(name, false);
  return faults.length === 0
    ? []
    : [fieldErrors.invalid(at, name, `authorizer name is invalid: ${faults.join(', ')}`)];
}

function webhookFaults({ type, webhook }: JsonObject, path: FieldPath): FieldError[] {
  if (type !== 'Webhook')
    return webhook === undefined || webhook === null
      ? []
      : [fieldErrors.invalid(path, 'non-null', 'may only be specified when type=Webhook')];
  if (!isJsonObject(webhook ?? null)) return [fieldErrors.required(path, 'required when type=Webhook')];
  const given = webhook as JsonObject;
  const choice = (field: string, values: string[]): FieldError[] => {
    const value = String(given[field] ?? '');
    if (value === '') return [fieldErrors.required(path.child(field))];
    return values.includes(value) ? [] : [fieldErrors.notSupported(path.child(field), value, values)];
  };
  const conditions = given['matchConditions'];
  return [
    ...durationFaults(given['timeout'], path.child('timeout'), 'must be > 0s and <= 30s', MAX_TIMEOUT_MS),
    ...durationFaults(given['authorizedTTL'], path.child('authorizedTTL'), 'must be > 0s'),
    ...durationFaults(given['unauthorizedTTL'], path.child('unauthorizedTTL'), 'must be > 0s'),
    ...choice('subjectAccessReviewVersion', ['v1', 'v1beta1']),
    ...choice('failurePolicy', ['NoOpinion', 'Deny']),
    ...connectionFaults(given['connectionInfo'], path.child('connectionInfo')),
    ...(Array.isArray(conditions) && conditions.length > 0
      ? [fieldErrors.forbidden(path.child('matchConditions'), 'not supported by this server')]
      : []),
  ];
}

function durationFaults(
  value: JsonValue | undefined,
  path: FieldPath,
  detail: string,
  maxMs = Number.POSITIVE_INFINITY,
): FieldError[] {
  if (value === undefined || value === null || value === '') return [fieldErrors.required(path)];
  const milliseconds = millisecondsOf(value);
  return milliseconds > 0 && milliseconds <= maxMs ? [] : [fieldErrors.invalid(path, value, detail)];
}

function connectionFaults(value: JsonValue | undefined, path: FieldPath): FieldError[] {
  const { type = '', kubeConfigFile = '' } = isJsonObject(value ?? null) ? (value as JsonObject) : {};
  const at = path.child('kubeConfigFile');
  switch (type) {
    case '':
      return [fieldErrors.required(path.child('type'))];
    case 'InClusterConfig':
      return kubeConfigFile === ''
        ? []
        : [fieldErrors.invalid(at, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
    case 'KubeConfigFile':
      if (kubeConfigFile === '') return [fieldErrors.required(at)];
      return isAbsolute(String(kubeConfigFile))
        ? []
        : [fieldErrors.invalid(at, kubeConfigFile, 'must be an absolute path')];
    default:
      return [
        fieldErrors.notSupported(path.child('type'), String(type), ['InClusterConfig', 'KubeConfigFile']),
      ];
  }
}

function millisecondsOf(value: JsonValue): number {
  const nanos = parseGoDuration(String(value));
  return typeof nanos === 'string' ? Number.NaN : Number(nanos) / 1e6;
}

function settingsOf({ type, webhook }: JsonObject): AuthorizerSettings {
  if (type !== 'Webhook') return { type } as AuthorizerSettings;
  const given = webhook as JsonObject;
  const { kubeConfigFile } = given['connectionInfo'] as { kubeConfigFile?: string };
  return {
    type: 'Webhook',
    kubeconfigFile: kubeConfigFile,
    version: given['subjectAccessReviewVersion'] as WebhookSettings['version'],
    timeoutMs: millisecondsOf(given['timeout']!),
    authorizedTtlMs: ttlOf(given, 'authorizedTTL', 'cacheAuthorizedRequests'),
    unauthorizedTtlMs: ttlOf(given, 'unauthorizedTTL', 'cacheUnauthorizedRequests'),
    failurePolicy: given['failurePolicy'] as WebhookSettings['failurePolicy'],
  };
}

/** 0: answers are not cached. */
const ttlOf = (webhook: JsonObject, ttl: string, isCached: string): number =>
  webhook[isCached] === false ? 0 : millisecondsOf(webhook[ttl]!);
