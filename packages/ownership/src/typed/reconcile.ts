// Reconciles a set that was written under an older schema with the current one: a list or map that has become
// atomic is owned as one. In the other direction nothing is done: an owner of the whole keeps it until the
// next write.
import { type FieldSet, hasChildren, isMember, LEAF, SELF } from '../fieldset/field-set.ts';
import { DEDUCED, type MergeType } from './merge-type.ts';

/** Returns the same set if nothing has to be done, which is nearly always. */
export function reconcileWithType(set: FieldSet, type: MergeType): FieldSet {
  if (!type.holdsAtomic || isUnknownMap(type)) return set;
  let changed: Record<string, FieldSet> | undefined;
  for (const element in set) {
    if (element === SELF) continue;
    const below = typeBelow(type, element);
    const node = set[element]!;
    const reconciled = below === undefined ? node : reconcileNode(node, below);
    if (reconciled !== node) (changed ??= { ...set })[element] = reconciled;
  }
  return changed ?? set;
}

function reconcileNode(node: FieldSet, type: MergeType): FieldSet {
  if (!hasChildren(node)) return isMember(node) ? node : LEAF;
  if (isUnknownMap(type)) return node;
  const whole = type.map === undefined ? type.list?.relation === 'atomic' : type.map.atomic;
  return whole ? LEAF : reconcileWithType(node, type);
}

const isUnknownMap = ({ map }: MergeType): boolean =>
  map !== undefined && map.element === DEDUCED && map.fields.size === 0;

function typeBelow(type: MergeType, element: string): MergeType | undefined {
  if (type.map === undefined) return type.list?.element;
  return type.map.fields.get(element.slice(2)) ?? type.map.element;
}
