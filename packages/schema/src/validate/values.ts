// Validates a value by its schema, with ratcheting on updates.
import { type FieldError, FieldPath, type JsonValue } from '@instar/machinery';
import type { Correlation } from '../ratchet/correlation.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { explain } from './explain.ts';
import { ValueSchema } from './value-schema.ts';

export interface ValueOptions {
  /** The path of the value: errors are reported below it, their texts contain only the rest of the path. */
  readonly path?: FieldPath | undefined;
  readonly correlation?: Correlation | undefined;
}

export function validateValues(
  value: JsonValue,
  node: SchemaNode,
  { path, correlation }: ValueOptions = {},
): FieldError[] {
  const schema = ValueSchema.of(node);
  if (schema.accepts(value)) return [];
  return explain(schema, value, { name: '', counting: false, correlation }).toFieldErrors(
    path ?? FieldPath.root,
  );
}
