// Walks two schemas in parallel. Calls `visit` at every path that both have, and continues below it if that
// returns true. What only one of them has is compared by the rules at the parent.
import type { JSONSchemaProps } from '@instar/schema';
import type { NodePair, PairContext } from './node-pair.ts';

export function walkSchemas(
  old: JSONSchemaProps,
  next: JSONSchemaProps,
  context: PairContext,
  visit: (pair: NodePair) => boolean,
): void {
  const at = (a: JSONSchemaProps, b: JSONSchemaProps, path: string, field?: NodePair['field']): void => {
    if (a === b) return;
    if (!visit({ old: a, new: b, path, context, ...(field && { field }) })) return;
    for (const name of Object.keys(a.properties ?? {})) {
      if (!Object.hasOwn(b.properties ?? {}, name)) continue;
      at(a.properties![name]!, b.properties![name]!, join(path, name), { name, holder: b });
    }
    both(a.items, b.items, `${path}[*]`);
    both(a.additionalProperties, b.additionalProperties, join(path, '*'));
  };
  const both = (a: Below, b: Below, path: string): void => {
    if (isSchema(a) && isSchema(b)) at(a, b, path);
  };
  at(old, next, '');
}

type Below = JSONSchemaProps | readonly JSONSchemaProps[] | boolean | undefined;

export function isSchema(child: Below): child is JSONSchemaProps {
  return typeof child === 'object' && child !== null && !Array.isArray(child);
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** How many fields a schema declares below itself. */
export function fieldCount(schema: JSONSchemaProps): number {
  let count = 0;
  for (const name of Object.keys(schema.properties ?? {})) count += 1 + fieldCount(schema.properties![name]!);
  if (isSchema(schema.items)) count += fieldCount(schema.items);
  if (isSchema(schema.additionalProperties)) count += fieldCount(schema.additionalProperties);
  return count;
}
