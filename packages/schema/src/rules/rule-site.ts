// What rules need at a node of a schema, computed when an object first has a value there.
import { type DeclaredType, escapeName } from '@instar/cel/kubernetes';
import type { SchemaNode } from '../tree/schema-node.ts';
import { declarationOf, NodeRules } from './node-rules.ts';

export interface RuleSite {
  /** The node's own rules. */
  readonly rules: NodeRules | undefined;
  /** The types at the node, if a rule here or above needed them: they include those of the nodes below. */
  readonly declared: DeclaredType | undefined;
  /** Rules can access typed values only: upstream runs none below a node without a type. */
  readonly isVisible: boolean;
}

/** `known` is the declaration of the node as part of that of an ancestor, if there is one. */
export function makeRuleSite(
  node: SchemaNode,
  isResource: boolean,
  known: DeclaredType | undefined,
): RuleSite {
  if ((node.props['x-kubernetes-validations']?.length ?? 0) === 0) {
    return { rules: undefined, declared: known, isVisible: known !== undefined || isTyped(node) };
  }
  const declared = known ?? declarationOf(node.props, isResource);
  if (declared === undefined) return { rules: undefined, declared, isVisible: false };
  return { rules: new NodeRules(node.props, declared), declared, isVisible: true };
}

export function declaredField({ declared }: RuleSite, name: string): DeclaredType | undefined {
  const escaped = declared === undefined ? undefined : escapeName(name);
  return escaped === undefined ? undefined : declared!.fields.get(escaped)?.type;
}

function isTyped(node: SchemaNode): boolean {
  switch (node.type) {
    case 'any':
      return false;
    case 'array':
      return node.items !== undefined && isTyped(node.items);
    case 'object':
      return node.additionalProperties === undefined || isTyped(node.additionalProperties);
    default:
      return true;
  }
}
