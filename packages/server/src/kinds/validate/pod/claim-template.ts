// The template of a claim for an ephemeral volume.
import { nameIsDnsSubdomain } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type LabelSelectorObject,
  type ObjectMeta,
  validateAnnotations,
  validateLabelSelectorObject,
  validateLabels,
} from '@instar/machinery';
import { quantityOf } from './resource-lists.ts';
import { invalidEach, validateOptionalChoice } from './values.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function validateClaimTemplate(
  { metadata = {}, spec }: { metadata?: ObjectMeta; spec: JsonObject },
  path: FieldPath,
): FieldError[] {
  const at = path.child('metadata');
  return [
    ...validateAnnotations(metadata.annotations, at.child('annotations')),
    ...validateLabels(metadata.labels, at.child('labels')),
    ...Object.keys(metadata)
      .filter((field) => field !== 'labels' && field !== 'annotations')
      .map((field) => fieldErrors.forbidden(at.child(field), 'cannot be set')),
    ...validateClaimSpec(spec ?? {}, path.child('spec')),
  ];
}

export function validateClaimSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const modes = (spec['accessModes'] ?? []) as string[];
  const at = path.child('accessModes');
  const errors = modes.length > 0 ? [] : [fieldErrors.required(at, 'at least 1 access mode is required')];
  if (spec['selector'] !== undefined)
    errors.push(
      ...validateLabelSelectorObject(spec['selector'] as LabelSelectorObject, path.child('selector')),
    );
  for (const mode of modes)
    if (!ACCESS_MODES.includes(mode)) errors.push(fieldErrors.notSupported(at, mode, ACCESS_MODES));
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod'))
    errors.push(fieldErrors.forbidden(at, 'may not use ReadWriteOncePod with other access modes'));
  return [...errors, ...validateStorage(spec, path), ...validateClass(spec, path)];
}

function validateStorage(spec: JsonObject, path: FieldPath): FieldError[] {
  const resources = isJsonObject(spec['resources']) ? spec['resources'] : {};
  const requests = isJsonObject(resources['requests']) ? resources['requests'] : {};
  const at = path.child('resources').key('storage');
  const storage = requests['storage'];
  if (typeof storage !== 'string') return [fieldErrors.required(at)];
  return quantityOf(storage).unscaled > 0n
    ? []
    : [fieldErrors.invalid(at, storage, 'must be greater than zero')];
}

function validateClass(spec: JsonObject, path: FieldPath): FieldError[] {
  const named = (field: string): FieldError[] => {
    const name = String(spec[field] ?? '');
    return name === '' ? [] : invalidEach(path.child(field), name, nameIsDnsSubdomain(name, false));
  };
  return [
    ...named('storageClassName'),
    ...validateOptionalChoice(
      spec['volumeMode'] as string | undefined,
      ['Block', 'Filesystem'],
      path.child('volumeMode'),
    ),
    ...named('volumeAttributesClassName'),
  ];
}
