// A field that comes with a default is there in every object from then on: where the object may hold only one
// of several fields, or only so many, objects that were valid may not be any more.
import type { JSONSchemaProps } from '@instar/schema';
import { conjunctsOf } from '../walk/node-pair.ts';

export function mayCollide(holder: JSONSchemaProps, name: string): boolean {
  return conjunctsOf(holder).some(
    ({ oneOf, anyOf, not, maxProperties }) =>
      maxProperties !== undefined || JSON.stringify([oneOf, anyOf, not]).includes(JSON.stringify(name)),
  );
}
