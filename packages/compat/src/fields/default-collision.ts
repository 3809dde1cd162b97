// A field with a default is set in every object: if an object may have only one of several fields, or a
// limited number of them, valid objects can become invalid.
import type { JSONSchemaProps } from '@instar/schema';
import { conjunctsOf } from '../walk/node-pair.ts';

export function mayCollide(holder: JSONSchemaProps, name: string): boolean {
  return conjunctsOf(holder).some(
    ({ oneOf, anyOf, not, maxProperties }) =>
      maxProperties !== undefined || JSON.stringify([oneOf, anyOf, not]).includes(JSON.stringify(name)),
  );
}
