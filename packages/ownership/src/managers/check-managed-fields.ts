// After mutating admission: if a webhook left unreadable managedFields, they are restored, and the user gets
// a warning.
import type { KubeObject, ManagedFieldsEntry } from '@instar/machinery';
import { ManagedFieldsFault, ownersOfSent } from './entry.ts';
import { withManagedFields } from './object.ts';

export interface AdmittedManagedFields {
  readonly object: KubeObject;
  readonly warning: string | undefined;
}

/** `before` are the managedFields as they were before admission. */
export function checkManagedFieldsAfterAdmission(
  object: KubeObject,
  before: ManagedFieldsEntry[] | undefined,
): AdmittedManagedFields {
  const sent = object.metadata?.managedFields;
  const owners = sent === before ? undefined : ownersOfSent(sent);
  if (!(owners instanceof ManagedFieldsFault)) return { object, warning: undefined };
  const warning =
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; ' +
    `please fix your requests: ${owners.message}`;
  return { object: withManagedFields(object, before), warning };
}
