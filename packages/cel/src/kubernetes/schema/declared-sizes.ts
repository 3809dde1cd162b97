/**
 * The maximum size of the value at a path, from the schema, for the estimator.
 */
import type { OperandNode, SizeProvider } from '../../extension.ts';
import type { DeclaredType } from './declared-type.ts';

export function declaredSizes(root: DeclaredType): SizeProvider {
  return { estimateSize: (node) => sizeAt(root, node) };
}

/** Every path starts with a variable, and every variable has the type of `self`. */
function sizeAt(root: DeclaredType, { path }: OperandNode): { min: number; max: number } | undefined {
  if (path === undefined || path.length === 0) return undefined;
  let type: DeclaredType | 'key' | undefined = root;
  for (const step of path.slice(1)) {
    type = type === 'key' ? undefined : child(type, step);
    if (type === undefined) return undefined;
  }
  // Keys of maps have no declared size, which upstream treats as no size.
  return { min: 0, max: type === 'key' ? 0 : type.maxElements };
}

function child(type: DeclaredType, step: string): DeclaredType | 'key' | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return type.element;
    case '@keys':
      return type.kind === 'map' ? 'key' : undefined;
    default:
      return type.fields.get(step)?.type;
  }
}
