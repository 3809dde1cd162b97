// A schema as a JsonShape, for skimming the bytes of objects: whether pruning, or pruning and defaulting,
// would change them. Must match what prune/ and default/ do, and refuses where it is not certain.
import {
  ANYTHING,
  type JsonShape,
  MEMBERLESS,
  type MemberShape,
  memberShape,
  NameTable,
  STORED_METADATA,
  VALUE_START,
} from '@instar/machinery';
import type { SchemaNode } from '../tree/schema-node.ts';
import { HAS_DEFAULT, HAS_EMBEDDED } from '../tree/survey.ts';

/** The normalization that must not change the bytes. */
export type Normalization = 'pruned' | 'pruned and defaulted';

/**
 * The shape of a whole resource. None for schemas with embedded resources, whose metadata is put into its
 * canonical form, nor where metadata itself would get defaults.
 */
export function resourceShape(root: SchemaNode, normalization: Normalization): JsonShape | undefined {
  if ((root.facets & HAS_EMBEDDED) !== 0) return undefined;
  if (
    normalization === 'pruned and defaulted' &&
    ((root.property('metadata')?.facets ?? 0) & HAS_DEFAULT) !== 0
  )
    return undefined;
  return new NodeShape(root, root.preserveUnknownFields, normalization, true);
}

/** Built lazily, like the schema itself. */
class NodeShape implements JsonShape {
  readonly #node: SchemaNode;
  /** Unknown fields are preserved. */
  readonly #preserves: boolean;
  readonly #normalization: Normalization;
  readonly #isResource: boolean;
  #names: NameTable | undefined;
  #required = 0;
  #others: MemberShape | undefined;
  #items: MemberShape | undefined;

  constructor(node: SchemaNode, preserves: boolean, normalization: Normalization, isResource = false) {
    this.#node = node;
    this.#preserves = preserves;
    this.#normalization = normalization;
    this.#isResource = isResource;
  }

  get names(): NameTable {
    this.#names ??= this.#makeNames();
    return this.#names;
  }

  get required(): number {
    // Counted with the names.
    this.#names ??= this.#makeNames();
    return this.#required;
  }

  get others(): MemberShape | undefined {
    this.#others ??= this.#makeOthers();
    return this.#others;
  }

  get items(): MemberShape {
    this.#items ??= this.#makeItems();
    return this.#items;
  }

  #makeNames(): NameTable {
    const members = new Map<string, MemberShape>();
    for (const name in this.#node.props.properties)
      members.set(name, this.#member(this.#node.property(name)!));
    // Of a resource, these are always known.
    if (this.#isResource) {
      for (const name of ['apiVersion', 'kind']) members.set(name, KEPT);
      members.set('metadata', this.#normalization === 'pruned' ? KEPT : METADATA);
    }
    for (const { isRequired } of members.values()) if (isRequired) this.#required++;
    return new NameTable(members);
  }

  #makeOthers(): MemberShape | undefined {
    const { opensFields, additionalProperties } = this.#node;
    if (!opensFields) return this.#preserves ? UNKNOWN : undefined;
    if (additionalProperties === undefined) return MEMBERLESS.items;
    const { shape, mayBeNull } = this.#member(additionalProperties);
    return memberShape(shape, { mayBeNull });
  }

  #makeItems(): MemberShape {
    const { items } = this.#node;
    if (items === undefined) return this.#preserves ? UNKNOWN : MEMBERLESS.items;
    const shape = new NodeShape(items, this.#preserves || items.preserveUnknownFields, this.#normalization);
    // Pruning leaves nulls in lists alone; a default replaces them.
    const mayBeNull = items.nullable || items.default === undefined || this.#normalization === 'pruned';
    return memberShape(shape, { mayBeNull });
  }

  #member(child: SchemaNode): MemberShape {
    const defaults = this.#normalization === 'pruned and defaulted';
    const hasDefault = child.default !== undefined;
    return memberShape(new NodeShape(child, child.preserveUnknownFields, this.#normalization), {
      mayBeNull: child.nullable || (hasDefault && !defaults),
      isRequired: defaults && hasDefault,
    });
  }
}

const UNKNOWN = ANYTHING.items;
const KEPT = memberShape(ANYTHING);
/** What was stored before anything checked it is put into its canonical form, as embedded metadata is. */
const METADATA = memberShape(STORED_METADATA, { start: VALUE_START.object });
