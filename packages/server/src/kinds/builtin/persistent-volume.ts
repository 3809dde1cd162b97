// v1 PersistentVolume: storage that outlives pods, as an administrator or a provisioner describes it.

import { goStruct } from '@instar/kinds';
import { isJsonObject, type JsonObject, type KubeObject } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { accessModesText } from '../table/access-modes.ts';
import { ageColumn, column, metadataOf, nameColumn, wideColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import { oldNodeLabel } from '../validate/old-node-labels.ts';
import {
  type PersistentVolume,
  validateMountOptions,
  validatePersistentVolume,
  validatePersistentVolumeUpdate,
} from '../validate/persistent-volume.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

/** The annotation that named the class before the field. */
export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

function fillIn({ spec, status }: JsonObject): void {
  if (!isJsonObject(spec) || !isJsonObject(status)) return;
  status['phase'] ??= 'Pending';
  spec['persistentVolumeReclaimPolicy'] ??= 'Retain';
  spec['volumeMode'] ??= 'Filesystem';
  if (isJsonObject(spec['hostPath'])) spec['hostPath']['type'] ??= '';
  if (isJsonObject(spec['claimRef'])) delete spec['claimRef']['fieldPath'];
}

const prepare = prepareSpecAndStatus({ generation: false });
const timestamp = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

function prepareForCreate(volume: KubeObject, context: WriteContext): void {
  prepare.prepareForCreate(volume, context);
  (volume as PersistentVolume).status = { phase: 'Pending', lastPhaseTransitionTime: timestamp() };
}

/** A new phase is dated, unless the client dates it. */
function prepareForUpdate(volume: KubeObject, old: KubeObject, context: WriteContext): void {
  prepare.prepareForUpdate(volume, old, context);
  if (context.subresource !== 'status') return;
  const [now, before] = [(volume as PersistentVolume).status, (old as PersistentVolume).status];
  const given = now['lastPhaseTransitionTime'] ?? null;
  if (now['phase'] !== before['phase'] && given === (before['lastPhaseTransitionTime'] ?? null))
    now['lastPhaseTransitionTime'] = timestamp();
}

const DEPRECATED_SOURCES = [
  ['cephfs', 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'spec.rbd: deprecated in v1.28, non-functional in v1.31+'],
] as const;

function warningsOf({ metadata, spec }: PersistentVolume): string[] {
  const annotated = (key: string, remedy: string): string[] =>
    Object.hasOwn(metadata.annotations ?? {}, key) ? [`metadata.annotations[${key}]: ${remedy}`] : [];
  return [
    ...annotated(CLASS_ANNOTATION, 'deprecated since v1.8; use "storageClassName" attribute instead'),
    ...annotated(
      'volume.beta.kubernetes.io/mount-options',
      'deprecated since v1.31; use "mountOptions" attribute instead',
    ),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...affinityWarnings(spec),
    ...DEPRECATED_SOURCES.flatMap(([field, text]) => (Object.hasOwn(spec, field) ? [text] : [])),
  ];
}

function affinityWarnings({ nodeAffinity }: PersistentVolume['spec']): string[] {
  const path = 'spec.nodeAffinity.required.nodeSelectorTerms';
  return (nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions = [] }, term) =>
    matchExpressions.flatMap(({ key }, index) =>
      oldNodeLabel(key).map(
        (remedy) => `${path}[${term}].matchExpressions[${index}].key: ${key} is ${remedy}`,
      ),
    ),
  );
}

export const phaseCell = (object: JsonObject): string =>
  metadataOf(object)['deletionTimestamp'] == null ? textAt(object, ['status', 'phase']) : 'Terminating';

function claimCell(volume: JsonObject): string {
  return valueAt(volume, 'spec', 'claimRef') === undefined
    ? ''
    : `${textAt(volume, ['spec', 'claimRef', 'namespace'])}/${textAt(volume, ['spec', 'claimRef', 'name'])}`;
}

export const classCell = (object: JsonObject): string =>
  textAt(object, ['metadata', 'annotations', CLASS_ANNOTATION], textAt(object, ['spec', 'storageClassName']));

export const persistentVolumes = defineKind({
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  shortNames: ['pv'],
  namespaced: false,
  storagePath: 'persistentvolumes/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.PersistentVolume'),
      fillIn,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Capacity', 'How much it holds.', (it) => textAt(it, ['spec', 'capacity', 'storage'], '0')),
        column('Access Modes', 'How it may be mounted.', (it) =>
          accessModesText(valueAt(it, 'spec', 'accessModes')),
        ),
        column('Reclaim Policy', 'What becomes of it once it is released.', (it) =>
          textAt(it, ['spec', 'persistentVolumeReclaimPolicy']),
        ),
        column('Status', 'Whether it is bound.', phaseCell),
        column('Claim', 'The claim that it is bound to.', claimCell),
        column('StorageClass', 'Its class.', classCell),
        column('VolumeAttributesClass', 'The class of its attributes.', (it) =>
          textAt(it, ['spec', 'volumeAttributesClassName'], '<unset>'),
        ),
        column('Reason', 'Why it is in its state.', (it) => textAt(it, ['status', 'reason'])),
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
    validateCreate: (volume) => [
      ...validatePersistentVolume(volume as PersistentVolume),
      ...validateMountOptions(volume as PersistentVolume),
    ],
    validateUpdate: (volume, old, { subresource }) =>
      subresource === 'status'
        ? []
        : validatePersistentVolumeUpdate(volume as PersistentVolume, old as PersistentVolume),
    warnings: (volume, _old, { subresource }) =>
      subresource === 'status' ? [] : warningsOf(volume as PersistentVolume),
    statusMayWriteMetadata: true,
    returnDeletedObject: true,
  },
});
