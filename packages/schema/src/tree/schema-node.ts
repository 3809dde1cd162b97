// A schema as a lazily built tree: a node is created when an object first has a value for it. A large schema
// of which objects use a tenth thus costs a tenth. Independent of objects.
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import type { StructuralNode } from './node.ts';
import type { Survey } from './survey.ts';

const NO_KEYS: readonly string[] = [];

/** What all nodes of one schema share. */
export interface SchemaContext {
  readonly survey: Survey;
  /** For validating defaults: int-or-string then accepts any type, and unknown formats count. */
  readonly forDefaults: boolean;
}

const NOTHING_BELOW: Survey = new Map();

export class SchemaNode implements StructuralNode {
  readonly props: JSONSchemaProps;
  readonly type: StructuralNode['type'];
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly nullable: boolean;
  readonly listType: StructuralNode['listType'];
  readonly listMapKeys: readonly string[];
  readonly mapType: StructuralNode['mapType'];
  readonly default: JsonValue | undefined;
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** What the survey found at or below this node. */
  readonly facets: number;
  /** Whether fields other than the properties are allowed. */
  readonly opensFields: boolean;
  readonly context: SchemaContext;
  /** Cache of validate/: the ValueSchema of this node. */
  values: object | undefined;
  /** Cache of rules/: the RuleSite of this node. */
  ruleSite: object | undefined;
  #children: Map<string, SchemaNode> | undefined;
  #childrenComplete = false;
  #items: SchemaNode | undefined;
  #additional: SchemaNode | undefined;

  constructor(props: JSONSchemaProps, context: SchemaContext) {
    this.props = props;
    this.type = typeOf(props);
    this.preserveUnknownFields = props['x-kubernetes-preserve-unknown-fields'] === true;
    this.embeddedResource = props['x-kubernetes-embedded-resource'] === true;
    this.nullable = props.nullable === true;
    this.listType = props['x-kubernetes-list-type'];
    this.listMapKeys = props['x-kubernetes-list-map-keys'] ?? NO_KEYS;
    this.mapType = props['x-kubernetes-map-type'];
    this.default = props.default ?? undefined;
    this.patchStrategy = props['x-kubernetes-patch-strategy'];
    this.patchMergeKey = props['x-kubernetes-patch-merge-key'];
    this.facets = context.survey.get(props) ?? 0;
    this.opensFields = props.additionalProperties !== undefined;
    this.context = context;
    this.values = undefined;
    this.ruleSite = undefined;
  }

  /** All properties. Creates every child: walks over objects use `property(name)` instead. */
  get properties(): ReadonlyMap<string, StructuralNode> | undefined {
    const { properties } = this.props;
    if (properties === undefined) return undefined;
    if (!this.#childrenComplete) {
      for (const name in properties) this.property(name);
      this.#childrenComplete = true;
    }
    return this.#children ?? new Map();
  }

  property(name: string): SchemaNode | undefined {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const { properties } = this.props;
    if (properties === undefined || !Object.hasOwn(properties, name)) return undefined;
    const child = new SchemaNode(properties[name]!, this.context);
    this.#children ??= new Map();
    this.#children.set(name, child);
    return child;
  }

  get additionalProperties(): SchemaNode | undefined {
    const { additionalProperties } = this.props;
    if (typeof additionalProperties !== 'object') return undefined;
    return (this.#additional ??= new SchemaNode(additionalProperties, this.context));
  }

  get items(): SchemaNode | undefined {
    const { items } = this.props;
    if (items === undefined || Array.isArray(items)) return undefined;
    return (this.#items ??= new SchemaNode(items, this.context));
  }

  /** The schema of a member of an object: its property's, else that of additional properties. */
  field(name: string): SchemaNode | undefined {
    return this.property(name) ?? this.additionalProperties;
  }
}

/** A schema below anyOf, oneOf, allOf or not: it constrains values and has no structure of its own. */
export function nestedNode(props: JSONSchemaProps, { forDefaults }: SchemaContext): SchemaNode {
  return new SchemaNode(props, { survey: NOTHING_BELOW, forDefaults });
}

function typeOf(props: JSONSchemaProps): StructuralNode['type'] {
  if (props['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return props.type === undefined || props.type === '' ? 'any' : (props.type as StructuralNode['type']);
}
