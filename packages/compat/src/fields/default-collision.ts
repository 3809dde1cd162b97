// A field that comes with a default is there in every object from then on: where the object may hold only one of several fields, or only so many, objects
// that were valid may not be any more.
import type { JSONSchemaProps } from '@instar/schema';

export function mayCollide({ oneOf, anyOf, not, maxProperties }: JSONSchemaProps, name: string): boolean {
  return maxProperties !== undefined || JSON.stringify([oneOf, anyOf, not]).includes(JSON.stringify(name));
}
