import type { JSONSchemaProps } from '../json-schema-props.ts';

/** The keywords that a schema sets. False, "" and null count as absent, as in Go. */
export function setKeys(schema: JSONSchemaProps): string[] {
  return Object.entries(schema).flatMap(([key, value]) =>
    value === undefined || value === false || value === '' || value === null ? [] : [key],
  );
}
