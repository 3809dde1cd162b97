// The type of a policy's `variables`: each may use those before it, so the type grows during compilation.
import {
  type CelType,
  dynType,
  type FieldDeclaration,
  listType,
  mapType,
  objectType,
  type Value,
} from '@instar/cel';
import type { LazyVariables } from './activation.ts';

export class VariablesType {
  readonly #fields = new Map<string, FieldDeclaration>();
  readonly type: CelType = objectType('kubernetes.variables', {
    field: (name) => this.#fields.get(name),
    fieldNames: () => this.#fields.keys(),
    access: {
      get: (raw, name) => (raw as LazyVariables).get(name),
      has: (raw, name) => (raw as LazyVariables).has(name),
    },
  });

  /** A variable that does not compile gets type dyn, so that only its own error is reported. */
  add(name: string, type: CelType | undefined): void {
    this.#fields.set(name, {
      type: type === undefined ? dynType : declarable(type),
      read: (raw) => raw as Value,
    });
  }
}

/** Objects and opaque values are dyn from one expression to the next, as upstream has it. */
function declarable(type: CelType): CelType {
  const [first = dynType, second = dynType] = type.params;
  switch (type.kind) {
    case 'list':
      return listType(declarable(first));
    case 'map':
      return mapType(declarable(first), declarable(second));
    case 'object':
    case 'opaque':
    case 'type':
      return dynType;
    default:
      return type;
  }
}
