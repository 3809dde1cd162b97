// v1 Secret: like a config map, for confidential values. Known types must have their keys.

import { validateConfigMapKey } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  JsonParseError,
  type KubeObject,
  parseJson,
} from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { base64Size, MAX_DATA_BYTES } from './data-size.ts';

interface Secret extends KubeObject {
  immutable?: boolean;
  data?: Record<string, string>;
  type?: string;
}

/** stringData is a convenience for writes: it is merged before anything else reads the object. */
function mergeStringData(secret: JsonObject): void {
  secret['type'] ??= 'Opaque';
  const texts = secret['stringData'];
  delete secret['stringData'];
  if (!isJsonObject(texts)) return;
  const entries = Object.entries(texts).map(
    ([key, text]) => [key, Buffer.from(String(text)).toString('base64')] as const,
  );
  const old = isJsonObject(secret['data']) ? secret['data'] : {};
  const merged = [...Object.entries(old), ...entries];
  secret['data'] = Object.fromEntries([...new Map(merged)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  const data = secret.data ?? {};
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const reason of validateConfigMapKey(key))
      errors.push(fieldErrors.invalid(dataPath(key), key, reason));
    size += base64Size(value);
  }
  if (size > MAX_DATA_BYTES) errors.push(fieldErrors.tooLong('data', MAX_DATA_BYTES));
  return [...errors, ...validateKeysOfType(secret, data)];
}

const dataPath = (key: string): FieldPath => FieldPath.of('data').key(key);
const required = (key: string): FieldError => fieldErrors.required(dataPath(key));
const missing = (data: Record<string, string>, ...keys: string[]): FieldError[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map(required);

const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name';

function validateKeysOfType(secret: Secret, data: Record<string, string>): FieldError[] {
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      return (secret.metadata.annotations?.[SERVICE_ACCOUNT_NAME] ?? '') === ''
        ? [fieldErrors.required(FieldPath.of('metadata', 'annotations').key(SERVICE_ACCOUNT_NAME))]
        : [];
    case 'kubernetes.io/dockercfg':
      return validateJsonEntry(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return validateJsonEntry(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth': {
      const errors = missing(data, 'username', 'password');
      return errors.length === 2 ? errors : [];
    }
    case 'kubernetes.io/ssh-auth':
      return (data['ssh-privatekey'] ?? '') === '' ? [required('ssh-privatekey')] : [];
    case 'kubernetes.io/tls':
      return missing(data, 'tls.crt', 'tls.key');
    default:
      return [];
  }
}

function validateJsonEntry(data: Record<string, string>, key: string): FieldError[] {
  if (!Object.hasOwn(data, key)) return [required(key)];
  const fault = jsonObjectFault(Buffer.from(data[key]!, 'base64'));
  return fault === undefined ? [] : [fieldErrors.invalid(dataPath(key), '<secret contents redacted>', fault)];
}

/** Go's texts: they reveal at most one character of the secret. */
function jsonObjectFault(bytes: Uint8Array): string | undefined {
  try {
    const { value } = parseJson(bytes);
    if (value === null || isJsonObject(value)) return undefined;
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonParseError) return error.message;
    throw error;
  }
}

const IMMUTABLE = 'field is immutable when `immutable` is set';

function validateChange(secret: Secret, old: Secret): FieldError[] {
  const errors: FieldError[] = [];
  if (secret.type !== old.type)
    errors.push(fieldErrors.invalid('type', secret.type ?? '', 'field is immutable'));
  if (old.immutable !== true) return errors;
  if (secret.immutable !== true) errors.push(fieldErrors.forbidden('immutable', IMMUTABLE));
  if (!deepEqual(secret.data, old.data)) errors.push(fieldErrors.forbidden('data', IMMUTABLE));
  return errors;
}

export const secrets = defineKind({
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
  storagePath: 'secrets/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.Secret'),
      fillIn: mergeStringData,
      columns: [
        nameColumn,
        column('Type', 'What the secret is for.', (secret) => secret['type'] ?? ''),
        column(
          'Data',
          'How many entries the secret holds.',
          (secret) => Object.keys(secret['data'] ?? {}).length,
        ),
        ageColumn,
      ],
      selectableFields: [{ name: 'type', value: (secret) => String(secret['type'] ?? '') }],
    },
  ],
  strategy: {
    validateCreate: (secret) => validateSecret(secret as Secret),
    validateUpdate: (secret, old) => [
      ...validateChange(secret as Secret, old as Secret),
      ...validateSecret(secret as Secret),
    ],
  },
});
