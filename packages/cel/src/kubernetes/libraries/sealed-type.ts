// Object types of libraries whose values have functions but no fields, such as kubernetes.Quantity.
import { type CelType, objectType } from '../../types.ts';

export function sealedType(name: string): CelType {
  return objectType(name, { field: () => undefined, fieldNames: () => [] });
}
