// v1 ConfigMap: plain configuration, at most 1 MiB, optionally immutable.

import { validateConfigMapKey } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { deepEqual, type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { base64Size, MAX_DATA_BYTES } from './data-size.ts';

interface ConfigMap extends KubeObject {
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

const DATA = FieldPath.of('data');
const BINARY_DATA = FieldPath.of('binaryData');

function validateConfigMap(map: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  const { data = {}, binaryData = {} } = map;
  let size = 0;
  for (const key of Object.keys(data)) {
    for (const reason of validateConfigMapKey(key))
      errors.push(fieldErrors.invalid(DATA.key(key), key, reason));
    if (Object.hasOwn(binaryData, key))
      errors.push(fieldErrors.invalid(DATA.key(key), key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(data[key]!);
  }
  for (const key of Object.keys(binaryData)) {
    for (const reason of validateConfigMapKey(key))
      errors.push(fieldErrors.invalid(BINARY_DATA.key(key), key, reason));
    size += base64Size(binaryData[key]!);
  }
  // Upstream's path of one empty name prints as an empty index.
  if (size > MAX_DATA_BYTES) errors.push(fieldErrors.tooLong('[]', MAX_DATA_BYTES));
  return errors;
}

const IMMUTABLE = 'field is immutable when `immutable` is set';

function validateImmutable(map: ConfigMap, old: ConfigMap): FieldError[] {
  if (old.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (map.immutable !== true) errors.push(fieldErrors.forbidden('immutable', IMMUTABLE));
  if (!deepEqual(map.data, old.data)) errors.push(fieldErrors.forbidden('data', IMMUTABLE));
  if (!deepEqual(map.binaryData, old.binaryData)) errors.push(fieldErrors.forbidden('binaryData', IMMUTABLE));
  return errors;
}

const size = (of: unknown): number => Object.keys(of ?? {}).length;

export const configMaps = defineKind({
  plural: 'configmaps',
  kind: 'ConfigMap',
  shortNames: ['cm'],
  namespaced: true,
  storagePath: 'configmaps/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.ConfigMap'),
      columns: [
        nameColumn,
        column(
          'Data',
          'How many entries the config map holds.',
          (map) => size(map['data']) + size(map['binaryData']),
        ),
        ageColumn,
      ],
    },
  ],
  strategy: {
    validateCreate: (map) => validateConfigMap(map as ConfigMap),
    validateUpdate: (map, old) => [
      ...validateImmutable(map as ConfigMap, old as ConfigMap),
      ...validateConfigMap(map as ConfigMap),
    ],
  },
});
