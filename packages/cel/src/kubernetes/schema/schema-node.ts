/**
 * The part of a structural schema that expressions need: some of JSONSchemaProps.
 */
export interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number | bigint;
  readonly maxItems?: number | bigint;
  readonly maxProperties?: number | bigint;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

export function propertyOf(schema: SchemaNode, name: string): SchemaNode | undefined {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    ? schema.properties[name]
    : undefined;
}

/** The schema of the values of a map, if it has one. */
export function valueSchemaOf(schema: SchemaNode): SchemaNode | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

export function isEmbeddedResource(schema: SchemaNode): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

/**
 * The schema with apiVersion, kind, metadata.name and metadata.generateName, which rules may always use at
 * the root of a resource, and with no other metadata.
 */
export function withResourceMeta(schema: SchemaNode): SchemaNode {
  const metadata = propertyOf(schema, 'metadata');
  const isString = (node: SchemaNode | undefined) => node?.type === 'string';
  const names = [metadata && propertyOf(metadata, 'name'), metadata && propertyOf(metadata, 'generateName')];
  const complete =
    isString(propertyOf(schema, 'kind')) &&
    isString(propertyOf(schema, 'apiVersion')) &&
    metadata?.type === 'object';
  if (complete && names.every(isString)) return schema;
  const meta: Record<string, SchemaNode> = {
    kind: { type: 'string' },
    apiVersion: { type: 'string' },
    // Bounds that the schema sets on the names are lost, so that rules on them cost as on any string.
    metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
  };
  return { ...schema, properties: { ...schema.properties, ...meta } };
}
