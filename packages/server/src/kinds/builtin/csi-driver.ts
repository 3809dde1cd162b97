// storage.k8s.io/v1 CSIDriver: what a driver for volumes can do.

import { goStruct } from '@instar/kinds';
import { asJson, deepEqual, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { objectsAt, valueAt } from '../table/values.ts';
import { type CsiDriver, validateCsiDriver, validateCsiDriverUpdate } from '../validate/csi.ts';

function fillIn(object: JsonObject): void {
  const spec = object['spec'] as JsonObject;
  spec['attachRequired'] ??= true;
  spec['podInfoOnMount'] ??= false;
  spec['storageCapacity'] ??= false;
  spec['fsGroupPolicy'] ??= 'ReadWriteOnceWithFSType';
  if (((spec['volumeLifecycleModes'] as JsonValue[] | undefined) ?? []).length === 0)
    spec['volumeLifecycleModes'] = ['Persistent'];
  spec['requiresRepublish'] ??= false;
  spec['seLinuxMount'] ??= false;
}

/** A field of a feature that is off by default. */
function dropDisabled(driver: KubeObject): void {
  delete (driver as CsiDriver).spec.preventPodSchedulingIfMissing;
}

function prepareForUpdate(driver: KubeObject, old: KubeObject): void {
  dropDisabled(driver);
  if (!deepEqual(asJson(driver)['spec'], asJson(old)['spec']))
    driver.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

const IN_SECRETS =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent ' +
  'possible logging of tokens in volume attributes';

function warningsOf({ spec }: CsiDriver, old: CsiDriver | undefined): string[] {
  const requests = spec.tokenRequests ?? [];
  if (requests.length === 0 || spec.serviceAccountTokenInSecrets !== undefined) return [];
  const before = old?.spec.tokenRequests ?? [];
  return old !== undefined && deepEqual(requests as JsonValue, before as JsonValue) ? [] : [IN_SECRETS];
}

const flagCell =
  (name: string, otherwise: boolean) =>
  (driver: JsonObject): JsonValue =>
    valueAt(driver, 'spec', name) ?? otherwise;

function modesCell(driver: JsonObject): string {
  const modes = valueAt(driver, 'spec', 'volumeLifecycleModes');
  return Array.isArray(modes) && modes.length > 0 ? modes.join(',') : '<none>';
}

function tokensCell(driver: JsonObject): string {
  return valueAt(driver, 'spec', 'tokenRequests') === undefined
    ? '<unset>'
    : objectsAt(driver, 'spec', 'tokenRequests')
        .map(({ audience }) => audience)
        .join(',');
}

export const csiDrivers = defineKind({
  plural: 'csidrivers',
  kind: 'CSIDriver',
  namespaced: false,
  storagePath: 'csidrivers/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.CSIDriver'),
      fillIn,
      columns: [
        nameColumn,
        column('AttachRequired', 'Whether volumes must be attached.', flagCell('attachRequired', true), {
          type: 'boolean',
        }),
        column('PodInfoOnMount', 'Whether mounts are told the pod.', flagCell('podInfoOnMount', false), {
          type: 'boolean',
        }),
        column('StorageCapacity', 'Whether capacity is reported.', flagCell('storageCapacity', false), {
          type: 'boolean',
        }),
        column('TokenRequests', 'The audiences of the tokens that it gets.', tokensCell),
        column('RequiresRepublish', 'Whether mounts are repeated.', flagCell('requiresRepublish', false), {
          type: 'boolean',
        }),
        column('Modes', 'The sorts of volumes that it supports.', modesCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    prepareForCreate: dropDisabled,
    prepareForUpdate,
    validateCreate: (driver) => validateCsiDriver(driver as CsiDriver),
    validateUpdate: (driver, old) => validateCsiDriverUpdate(driver as CsiDriver, old as CsiDriver),
    warnings: (driver, old) => warningsOf(driver as CsiDriver, old as CsiDriver | undefined),
    allowUnconditionalUpdate: false,
    returnDeletedObject: true,
  },
});
