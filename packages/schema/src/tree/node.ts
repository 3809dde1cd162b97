// A structural schema as a tree: the part of a schema that specifies which fields exist and how they merge.

/** A node of a structural schema, compiled. */
export interface StructuralNode {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'any';
  readonly properties: ReadonlyMap<string, StructuralNode> | undefined;
  readonly additionalProperties: StructuralNode | undefined;
  readonly items: StructuralNode | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly nullable: boolean;
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: 'granular' | 'atomic' | undefined;
  readonly default: unknown;
  /** Built-in kinds only. */
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
}
