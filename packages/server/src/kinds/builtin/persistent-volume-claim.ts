// v1 PersistentVolumeClaim: a request for storage by a user. No controller binds it here.

import { goStruct } from '@instar/kinds';
import { FieldPath, isJsonObject, type JsonObject, type KubeObject } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { accessModesText } from '../table/access-modes.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import {
  type ClaimSpec,
  type PersistentVolumeClaim,
  validateClaimSpec,
  validateClaimStatus,
  validateClaimUpdate,
} from '../validate/persistent-volume-claim.ts';
import { hasFraction } from '../validate/quantities.ts';
import { CLASS_ANNOTATION, classCell, phaseCell } from './persistent-volume.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

function fillIn({ spec, status }: JsonObject): void {
  if (isJsonObject(status)) status['phase'] ??= 'Pending';
  if (isJsonObject(spec)) spec['volumeMode'] ??= 'Filesystem';
}

const prepare = prepareSpecAndStatus({ generation: false });

/**
 * Both fields for the source of the data are kept the same. What the older of them could never hold is
 * dropped, unless the claim has it already.
 */
function matchSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  const { dataSourceRef: reference } = spec;
  if ((reference?.namespace ?? '') !== '' && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const wasUsed = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!wasUsed && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec)) delete spec.dataSource;
  if (spec.dataSource !== undefined && spec.dataSourceRef === undefined)
    spec.dataSourceRef = { ...spec.dataSource };
  else if (
    spec.dataSource === undefined &&
    spec.dataSourceRef !== undefined &&
    (spec.dataSourceRef.namespace ?? '') === ''
  ) {
    const { namespace: _, ...source } = spec.dataSourceRef;
    spec.dataSource = source;
  }
}

function isClaimOrSnapshot({ dataSource: source }: ClaimSpec): boolean {
  const group = source?.apiGroup ?? '';
  return (
    (source?.kind === 'PersistentVolumeClaim' && group === '') ||
    (source?.kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}

function prepareForCreate(claim: KubeObject, context: WriteContext): void {
  prepare.prepareForCreate(claim, context);
  (claim as PersistentVolumeClaim).status = { phase: 'Pending' };
  matchSources((claim as PersistentVolumeClaim).spec, undefined);
}

function prepareForUpdate(claim: KubeObject, old: KubeObject, context: WriteContext): void {
  prepare.prepareForUpdate(claim, old, context);
  if (context.subresource === '')
    matchSources((claim as PersistentVolumeClaim).spec, (old as PersistentVolumeClaim).spec);
}

function warningsOf({ metadata, spec }: PersistentVolumeClaim): string[] {
  const fraction = (part: 'requests' | 'limits'): string[] => {
    const amount = spec.resources[part]?.['storage'];
    return amount !== undefined && hasFraction(amount)
      ? [`spec.resources.${part}[storage]: fractional byte value "${amount}" is invalid, must be an integer`]
      : [];
  };
  return [
    ...(Object.hasOwn(metadata.annotations ?? {}, CLASS_ANNOTATION)
      ? [
          `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
        ]
      : []),
    ...fraction('requests'),
    ...fraction('limits'),
  ];
}

/** What the volume has, once there is one. */
const ofVolume = (claim: JsonObject, cell: () => string): string =>
  textAt(claim, ['spec', 'volumeName']) === '' ? '' : cell();

export const persistentVolumeClaims = defineKind({
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  shortNames: ['pvc'],
  namespaced: true,
  storagePath: 'persistentvolumeclaims/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.PersistentVolumeClaim'),
      fillIn,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Status', 'Whether it is bound.', phaseCell),
        column('Volume', 'The volume that it is bound to.', (it) => textAt(it, ['spec', 'volumeName'])),
        column('Capacity', 'How much the volume holds.', (it) =>
          ofVolume(it, () => textAt(it, ['status', 'capacity', 'storage'], '0')),
        ),
        column('Access Modes', 'How the volume may be mounted.', (it) =>
          ofVolume(it, () => accessModesText(valueAt(it, 'status', 'accessModes'))),
        ),
        column('StorageClass', 'Its class.', classCell),
        column('VolumeAttributesClass', 'The class of its attributes.', (it) =>
          textAt(it, ['spec', 'volumeAttributesClassName'], '<unset>'),
        ),
        ageColumn,
        wideColumn('VolumeMode', 'A file system or a device.', (it) =>
          textAt(it, ['spec', 'volumeMode'], '<unset>'),
        ),
      ],
    },
  ],
  strategy: {
    prepareForCreate,
    prepareForUpdate,
    validateCreate: (claim) => validateClaimSpec((claim as PersistentVolumeClaim).spec, FieldPath.of('spec')),
    validateUpdate: (claim, old, { subresource }) =>
      subresource === 'status'
        ? validateClaimStatus(claim as PersistentVolumeClaim)
        : validateClaimUpdate(claim as PersistentVolumeClaim, old as PersistentVolumeClaim),
    warnings: (claim, _old, { subresource }) =>
      subresource === 'status' ? [] : warningsOf(claim as PersistentVolumeClaim),
    statusMayWriteMetadata: true,
    returnDeletedObject: true,
  },
});
