// Annotations of pods that have a meaning to the API server.
import { type FieldError, type FieldPath, fieldErrors, parseJson } from '@instar/machinery';
import { containersWithPath } from './each-container.ts';
import type { PodSpec, Toleration } from './pod-types.ts';
import { validateTolerations } from './scheduling.ts';
import { validateDescendingPath } from './values.ts';

export const MIRROR = 'kubernetes.io/config.mirror';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

type Annotations = Readonly<Record<string, string>>;

export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (Object.hasOwn(annotations, MIRROR) && !spec.nodeName) {
    const why = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(fieldErrors.invalid(path.key(MIRROR), annotations[MIRROR]!, why));
  }
  if (annotations[TOLERATIONS]) errors.push(...validateAnnotatedTolerations(annotations[TOLERATIONS], path));
  const cost = annotations[DELETION_COST];
  if (Object.hasOwn(annotations, DELETION_COST) && !isInt32(cost!))
    errors.push(fieldErrors.invalid(path.key(DELETION_COST), cost!, 'must be a 32bit integer'));
  return [...errors, ...validateSeccomp(annotations, path), ...validateAppArmor(annotations, spec, path)];
}

function isInt32(text: string): boolean {
  return /^(0|-?[1-9][0-9]*)$/.test(text) && Math.abs(Number(text)) < 2 ** 31;
}

function validateAnnotatedTolerations(text: string, path: FieldPath): FieldError[] {
  let value: unknown;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    return [fieldErrors.invalid(path, TOLERATIONS, (error as Error).message)];
  }
  return Array.isArray(value) ? validateTolerations(value as Toleration[], path.child(TOLERATIONS)) : [];
}

function validateSeccomp(annotations: Annotations, path: FieldPath): FieldError[] {
  const keys = Object.keys(annotations).filter(
    (key) => key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER),
  );
  return keys.flatMap((key) => {
    const profile = annotations[key]!;
    if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
    if (profile.startsWith('localhost/'))
      return validateDescendingPath(profile.slice('localhost/'.length), path.child(key));
    return [fieldErrors.invalid(path.child(key), profile, 'must be a valid seccomp profile')];
  });
}

function validateAppArmor(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const names = new Set(containersWithPath(spec, path).map(([{ name }]) => name));
  const keys = Object.keys(annotations).filter((key) => key.startsWith(APP_ARMOR));
  return keys.flatMap((key) => {
    const container = key.slice(APP_ARMOR.length);
    const profile = annotations[key]!;
    const errors = names.has(container)
      ? []
      : [fieldErrors.invalid(path.key(key), container, 'container not found')];
    if (!['', 'runtime/default', 'unconfined'].includes(profile) && !profile.startsWith('localhost/')) {
      const why = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
      errors.push(fieldErrors.invalid(path.key(key), profile, why));
    }
    return errors;
  });
}

/** Some annotations are as fixed as the spec. */
export function validateAnnotationUpdates(
  next: Annotations,
  old: Annotations,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(old)) {
    if (Object.hasOwn(next, key) && next[key] === old[key]) continue;
    if (key.startsWith(APP_ARMOR))
      errors.push(fieldErrors.forbidden(path.key(key), 'may not remove or update AppArmor annotations'));
    if (key === MIRROR)
      errors.push(fieldErrors.forbidden(path.key(key), 'may not remove or update mirror pod annotation'));
  }
  for (const key of Object.keys(next)) {
    if (Object.hasOwn(old, key)) continue;
    if (key.startsWith(APP_ARMOR))
      errors.push(fieldErrors.forbidden(path.key(key), 'may not add AppArmor annotations'));
    if (key === MIRROR)
      errors.push(fieldErrors.forbidden(path.key(key), 'may not add mirror pod annotation'));
  }
  return errors;
}
