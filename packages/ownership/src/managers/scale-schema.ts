// The structure of an autoscaling/v1 Scale.
import type { StructuralNode } from '@instar/schema';

function node(type: StructuralNode['type'], properties?: Record<string, StructuralNode>): StructuralNode {
  return {
    type,
    properties: properties && new Map(Object.entries(properties)),
    additionalProperties: undefined,
    items: undefined,
    preserveUnknownFields: false,
    embeddedResource: false,
    nullable: false,
    listType: undefined,
    listMapKeys: [],
    mapType: undefined,
    default: undefined,
    patchStrategy: undefined,
    patchMergeKey: undefined,
  };
}

export const SCALE_SCHEMA: StructuralNode = node('object', {
  spec: node('object', { replicas: node('integer') }),
  status: node('object', { replicas: node('integer'), selector: node('string') }),
});
