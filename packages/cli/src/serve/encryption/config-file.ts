// --encryption-provider-config: the file with an EncryptionConfiguration of apiserver.config.k8s.io, with the
// errors of kube-apiserver. KMS v1, which is off there too, is refused.
import { parseGoDuration } from '@instar/go';
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
import type { EncryptionConfig, EncryptionProvider, KmsConfig } from '@instar/store/encryption';
import { endpointFaults, socketOf } from './kms-endpoint.ts';
import { resourceFaults } from './resource-faults.ts';

const API_VERSION = 'apiserver.config.k8s.io/v1';
const CIPHERS = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] } as const;
type Cipher = keyof typeof CIPHERS;
const PROVIDERS = [...Object.keys(CIPHERS), 'kms', 'identity'];
const DEFAULT_KMS_TIMEOUT = '3s';
const NO_KMS_V1 =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.';

/** Throws an Error that says what is wrong with the text. */
export function parseEncryptionConfig(text: string): EncryptionConfig {
  if (text === '') throw new Error('it is empty');
  const { value, duplicates } = parseYaml(text);
  if (duplicates.length > 0) throw new Error(`strict decoding error: ${duplicates.join(', ')}`);
  const config = objectAt(value, 'the configuration');
  if (config['kind'] !== 'EncryptionConfiguration' || config['apiVersion'] !== API_VERSION)
    throw new Error(`it must be an EncryptionConfiguration of ${API_VERSION}`);
  onlyFields(config, ['apiVersion', 'kind', 'resources'], '');
  const rules = listAt(config, 'resources', '').map((rule, index) => ruleOf(rule, `resources[${index}]`));
  const faults = faultsOf(rules);
  if (faults.length > 0) throw new Error(aggregateMessage(faults));
  refuseMasked(rules);
  return rules.map(({ resources, providers }) => ({
    resources: resources.map(parseResource),
    providers: providers.map(providerOf),
  }));
}

interface Rule {
  readonly resources: readonly string[];
  readonly providers: readonly JsonObject[];
}

function ruleOf(value: JsonValue, path: string): Rule {
  const rule = objectAt(value, path);
  onlyFields(rule, ['resources', 'providers'], `${path}.`);
  const resources = listAt(rule, 'resources', `${path}.`).map((one) => {
    if (typeof one !== 'string') throw new Error(`${path}.resources must be a list of strings`);
    return one;
  });
  const providers = listAt(rule, 'providers', `${path}.`).map((one, index) => {
    const provider = objectAt(one, `${path}.providers[${index}]`);
    onlyFields(provider, PROVIDERS, `${path}.providers[${index}].`);
    return provider;
  });
  return { resources, providers };
}

function objectAt(value: JsonValue, path: string): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${path} must be an object`);
  return value;
}

function listAt(object: JsonObject, name: string, within: string): JsonValue[] {
  const value = object[name] ?? [];
  if (!Array.isArray(value)) throw new Error(`${within}${name} must be a list`);
  return value;
}

function onlyFields(object: JsonObject, known: readonly string[], within: string): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const texts = unknown.map((name) => `unknown field "${within}${name}"`);
  throw new Error(`strict decoding error: ${texts.join(', ')}`);
}

function faultsOf(rules: readonly Rule[]): FieldError[] {
  const root = FieldPath.of('resources');
  if (rules.length === 0) return [fieldErrors.required(root, 'at least one resources is required')];
  const kmsNames = new Set<string>();
  return rules.flatMap(({ resources, providers }, index) => {
    const [atResources, atProviders] = ['resources', 'providers'].map((name) =>
      root.index(index).child(name),
    );
    const none = (path: FieldPath) => fieldErrors.required(path, `at least one ${path} is required`);
    return [
      ...(resources.length === 0 ? [none(atResources!)] : []),
      ...resourceFaults(resources, atResources!),
      ...(providers.length === 0 ? [none(atProviders!)] : []),
      ...providers.flatMap((provider, at) => providerFaults(provider, atProviders!.index(at), kmsNames)),
    ];
  });
}

const given = (provider: JsonObject): string[] =>
  PROVIDERS.filter((name) => provider[name] !== undefined && provider[name] !== null);

function providerFaults(provider: JsonObject, path: FieldPath, kmsNames: Set<string>): FieldError[] {
  const names = given(provider);
  if (names.length !== 1) {
    const detail =
      names.length === 0
        ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
        : 'more than one provider specified in a single element, should split into different list elements';
    // The value would show keys.
    return [fieldErrors.invalid(path, names, detail)];
  }
  const [name] = names;
  const settings = objectAt(provider[name!]!, path.child(name!).toString());
  if (name === 'identity') return [];
  if (name === 'kms') return kmsFaults(settings, path.child('kms'), kmsNames);
  const sizes = CIPHERS[name as Cipher];
  const at = path.child(name!).child('keys');
  onlyFields(settings, ['keys'], `${path.child(name!)}.`);
  const keys = listAt(settings, 'keys', `${path.child(name!)}.`);
  if (keys.length === 0) return [fieldErrors.required(at, 'at least one keys is required')];
  return keys.flatMap((key, index) => keyFaults(objectAt(key, `${at.index(index)}`), at.index(index), sizes));
}

function keyFaults(key: JsonObject, path: FieldPath, sizes: readonly number[]): FieldError[] {
  onlyFields(key, ['name', 'secret'], `${path}.`);
  const { name = '', secret = '' } = key;
  const faults: FieldError[] = [];
  if (name === '')
    faults.push(fieldErrors.required(path.child('name'), 'name is a mandatory field for a key'));
  const at = path.child('secret');
  if (secret === '') return [...faults, fieldErrors.required(at, 'secret is a mandatory field for a key')];
  const bytes = decodedSecret(secret);
  if (bytes === undefined)
    return [...faults, fieldErrors.invalid(at, 'REDACTED', 'secrets must be base64 encoded')];
  if (!sizes.includes(bytes.length)) {
    const detail = `secret is not of the expected length, got ${bytes.length}, expected one of [${sizes.join(' ')}]`;
    faults.push(fieldErrors.invalid(at, 'REDACTED', detail));
  }
  return faults;
}

function decodedSecret(secret: JsonValue): Buffer | undefined {
  if (typeof secret !== 'string') return undefined;
  const bytes = Buffer.from(secret, 'base64');
  return bytes.toString('base64') === secret.replace(/[\r\n]/g, '') ? bytes : undefined;
}

function kmsFaults(kms: JsonObject, path: FieldPath, names: Set<string>): FieldError[] {
  onlyFields(kms, ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout'], `${path}.`);
  const { apiVersion = 'v1', name = '', cachesize, endpoint = '', timeout = DEFAULT_KMS_TIMEOUT } = kms;
  const faults: FieldError[] = [];
  const at = (field: string): FieldPath => path.child(field);
  if (name === '') faults.push(fieldErrors.required(at('name'), 'name is a mandatory field for a provider'));
  const text = String(name);
  if (text.includes(':'))
    faults.push(
      fieldErrors.invalid(at('name'), text, `invalid KMS provider name ${text}, must not contain ':'`),
    );
  if (names.has(text))
    faults.push(
      fieldErrors.invalid(at('name'), text, `duplicate KMS provider name ${text}, names must be unique`),
    );
  names.add(text);
  if (!(millisecondsOf(timeout) > 0))
    faults.push(fieldErrors.invalid(at('timeout'), timeout, 'timeout should be a positive value'));
  faults.push(...endpointFaults(String(endpoint), at('endpoint')));
  if (cachesize !== undefined)
    faults.push(fieldErrors.invalid(at('cachesize'), cachesize, 'cachesize is not supported in v2'));
  if (apiVersion === 'v1') faults.push(fieldErrors.invalid(at('apiVersion'), 'v1', NO_KMS_V1));
  else if (apiVersion !== 'v2') {
    const detail = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    faults.push(fieldErrors.invalid(at('apiVersion'), apiVersion, detail));
  }
  return faults;
}

function millisecondsOf(text: JsonValue): number {
  const nanos = parseGoDuration(String(text));
  return typeof nanos === 'string' ? Number.NaN : Number(nanos) / 1e6;
}

function providerOf(provider: JsonObject): EncryptionProvider {
  const [type] = given(provider);
  const settings = provider[type!] as JsonObject;
  if (type === 'identity') return { type };
  if (type === 'kms') return { type, kms: kmsOf(settings) };
  const keys = (settings['keys'] as { name: string; secret: string }[]).map(({ name, secret }) => ({
    name,
    secret: Buffer.from(secret, 'base64'),
  }));
  return { type: type as Cipher, keys };
}

const kmsOf = ({ name, endpoint, timeout = DEFAULT_KMS_TIMEOUT }: JsonObject): KmsConfig => ({
  name: String(name),
  socket: socketOf(String(endpoint)),
  timeoutMs: millisecondsOf(timeout),
});

/** `secrets`, `widgets.example.com`, `*.` for the core group, `*.*` for all. */
function parseResource(text: string): { readonly group: string; readonly resource: string } {
  const dot = text.indexOf('.');
  return dot < 0
    ? { resource: text, group: '' }
    : { resource: text.slice(0, dot), group: text.slice(dot + 1) };
}

/** A rule for a resource that an earlier rule with a wildcard covers would never have an effect. */
function refuseMasked(rules: readonly Rule[]): void {
  const earlier = new Set<string>();
  const shown = (group: string, resource: string): string =>
    group === '' && resource !== '*' ? resource : `${resource}.${group}`;
  for (const { resources } of rules)
    for (const text of resources) {
      const { group, resource } = parseResource(text);
      const mask = [`*.${group}`, '*.*'].find((one) => earlier.has(one));
      if (mask !== undefined)
        throw new Error(`resource "${shown(group, resource)}" is masked by earlier rule "${mask}"`);
      earlier.add(`${resource}.${group}`);
    }
}
