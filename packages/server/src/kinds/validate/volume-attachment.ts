// Validation of volume attachments.
import { nameIsDnsSubdomain } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { invalidFor, validateDriverName, validateUnchanged } from './checks.ts';
import { type PersistentVolumeSpec, validateVolumeSpec } from './persistent-volume.ts';

interface VolumeError {
  message?: string;
  errorCode?: number;
}

export interface VolumeAttachment extends KubeObject {
  spec: {
    attacher: string;
    nodeName: string;
    source: { persistentVolumeName?: string; inlineVolumeSpec?: PersistentVolumeSpec };
  };
  status: {
    attachmentMetadata?: Record<string, string>;
    attachError?: VolumeError;
    detachError?: VolumeError;
  };
}

const MAX_METADATA_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 1024;
const SOURCE = FieldPath.of('spec', 'source');

export function validateVolumeAttachment({ spec, status }: VolumeAttachment): FieldError[] {
  const { persistentVolumeName: volume } = spec.source;
  return [
    ...validateDriverName(spec.attacher, FieldPath.of('spec', 'attacher')),
    ...validateSource(spec.source),
    ...invalidFor(FieldPath.of('spec', 'nodeName'), spec.nodeName, nameIsDnsSubdomain(spec.nodeName, false)),
    ...validateStatus(status),
    ...(volume === undefined
      ? []
      : invalidFor(SOURCE.child('persistentVolumeName'), volume, nameIsDnsSubdomain(volume, false))),
  ];
}

function validateSource({
  persistentVolumeName: volume,
  inlineVolumeSpec: inline,
}: VolumeAttachment['spec']['source']): FieldError[] {
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (volume === undefined && inline === undefined) return [fieldErrors.required(SOURCE, exactlyOne)];
  if (volume !== undefined && inline !== undefined) return [fieldErrors.forbidden(SOURCE, exactlyOne)];
  if (inline !== undefined) return validateVolumeSpec(inline, '', true, SOURCE.child('inlineVolumeSpec'));
  return volume === ''
    ? [
        fieldErrors.required(
          SOURCE.child('persistentVolumeName'),
          'must specify non empty persistentVolumeName',
        ),
      ]
    : [];
}

function validateStatus(status: VolumeAttachment['status']): FieldError[] {
  const path = FieldPath.of('status');
  const bytes = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...(bytes > MAX_METADATA_BYTES
      ? [fieldErrors.tooLong(path.child('attachmentMetadata'), MAX_METADATA_BYTES)]
      : []),
    ...validateVolumeError(status.attachError, path.child('attachError')),
    ...validateVolumeError(status.detachError, path.child('detachError')),
  ];
}

/** The limit that the error names is the one of the metadata, as upstream. */
function validateVolumeError(error: VolumeError | undefined, path: FieldPath): FieldError[] {
  const { message = '', errorCode = 0 } = error ?? {};
  const errors: FieldError[] = [];
  if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES)
    errors.push(fieldErrors.tooLong(path.child('message'), MAX_METADATA_BYTES));
  if (errorCode < 0)
    errors.push(
      fieldErrors.invalid(path.child('errorCode'), errorCode, 'must be between 0 and 2147483647, inclusive'),
    );
  return errors;
}

export const validateVolumeAttachmentUpdate = (
  attachment: VolumeAttachment,
  old: VolumeAttachment,
): FieldError[] => [
  ...validateVolumeAttachment(attachment),
  ...validateUnchanged(attachment.spec, old.spec, FieldPath.of('spec')),
];
