// Validates a value by its schema, and on updates forgives what was wrong before and did not change.
import { type FieldError, FieldPath, type JsonValue } from '@instar/machinery';
import type { Correlation } from '../ratchet/correlation.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { explain } from './explain.ts';
import { ValueSchema } from './value-schema.ts';

export interface ValueOptions {
  /** Where the value stands: errors are reported under it, their texts name the rest of the path only. */
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
