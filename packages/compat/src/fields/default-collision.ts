// A field with a default exists in every object from then on: if the object may have only one of several
// fields, or only so many, valid objects may become invalid.
import type { JSONSchemaProps } from '@instar/schema';
import { conjunctsOf } from '../walk/node-pair.ts';

export function mayCollide(holder: JSONSchemaProps, name: string): boolean {
  return conjunctsOf(holder).some(
    ({ oneOf, anyOf, not, maxProperties }) =>
      maxProperties !== undefined || JSON.stringify([oneOf, anyOf, not]).includes(JSON.stringify(name)),
  );
}
