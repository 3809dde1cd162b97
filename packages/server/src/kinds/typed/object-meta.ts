// metav1.ObjectMeta, and the fields that every built-in kind has.
import { field, type GoField, goStruct, string, struct } from '@instar/kinds';

export const ObjectMeta = goStruct('meta/v1.ObjectMeta');

/** The Go type of a kind that has no table: apiVersion, kind and metadata before its own fields. */
export function kind(
  name: string,
  description: string,
  fields: Record<string, GoField>,
  options: { metadataRequired?: boolean } = {},
) {
  return struct(name, description, {
    apiVersion: field(0, string, 'The version of the API in which this object is written.', {
      embeddedIn: 'TypeMeta',
    }),
    kind: field(0, string, 'The kind of this object.', { embeddedIn: 'TypeMeta' }),
    metadata: field(
      1,
      ObjectMeta,
      'Name, labels and what else all objects have.',
      options.metadataRequired === true ? { required: true } : {},
    ),
    ...fields,
  });
}
