// The part of a schema node that constrains values: its types and format as validation uses them, and its
// checks.
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { nestedNode, type SchemaNode } from '../tree/schema-node.ts';
import { compileCheck } from './check.ts';
import { type FormatCheck, formatCheck, isFormatKnown } from './formats/registry.ts';
import { NumberRules } from './numbers.ts';

export type ValueCheck = (value: JsonValue) => boolean;

export class ValueSchema {
  readonly node: SchemaNode;
  readonly types: readonly string[];
  readonly format: string;
  readonly formatCheck: FormatCheck | undefined;
  #numbers: NumberRules | undefined;
  #check: ValueCheck | undefined;
  #branches: Map<readonly JSONSchemaProps[], ValueSchema[]> | undefined;
  #not: ValueSchema | undefined;

  constructor(node: SchemaNode) {
    this.node = node;
    this.types = typesOf(node);
    this.format = formatOf(node, this.types);
    this.formatCheck = this.format === '' ? undefined : formatCheck(this.format);
  }

  static of(node: SchemaNode): ValueSchema {
    return (node.values ??= new ValueSchema(node)) as ValueSchema;
  }

  /** The check of a node below this one. */
  checkOf(node: SchemaNode): ValueCheck {
    return ValueSchema.of(node).check;
  }

  get props(): JSONSchemaProps {
    return this.node.props;
  }

  get numbers(): NumberRules {
    return (this.#numbers ??= new NumberRules(this.props, this.types, this.format));
  }

  /** Whether a value is valid, without a reason. Compiled on first use. */
  get check(): ValueCheck {
    return (this.#check ??= compileCheck(this));
  }

  accepts(value: JsonValue): boolean {
    return this.check(value);
  }

  /** The schemas of an anyOf, oneOf or allOf of this node. */
  branches(list: readonly JSONSchemaProps[]): ValueSchema[] {
    this.#branches ??= new Map();
    let schemas = this.#branches.get(list);
    if (schemas === undefined) {
      schemas = list.map((props) => ValueSchema.of(nestedNode(props, this.node.context)));
      this.#branches.set(list, schemas);
    }
    return schemas;
  }

  get not(): ValueSchema | undefined {
    if (this.props.not === undefined) return undefined;
    return (this.#not ??= ValueSchema.of(nestedNode(this.props.not, this.node.context)));
  }
}

function typesOf({ props, context }: SchemaNode): readonly string[] {
  if (props['x-kubernetes-int-or-string'] === true && !context.forDefaults) return ['integer', 'string'];
  return props.type === undefined || props.type === '' ? [] : [props.type];
}

/** Formats that do not apply to the type count as absent. */
function formatOf({ props, context }: SchemaNode, types: readonly string[]): string {
  const { format } = props;
  if (format === undefined || format === '' || context.forDefaults) return format ?? '';
  return isFormatKnown(types.length === 1 ? types[0]! : '', format) ? format : '';
}
