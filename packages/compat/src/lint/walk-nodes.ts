// Every location of a schema that its author wrote: apiVersion, kind and metadata of the object itself are
// left out.
import type { JSONSchemaProps } from '@instar/schema';
import { requiredOf } from '../walk/node-pair.ts';
import { isSchema, join } from '../walk/walk-schemas.ts';
import type { LintNode } from './lint-rule.ts';

const SERVER_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

export function nodesOf(root: JSONSchemaProps): LintNode[] {
  const nodes: LintNode[] = [];
  const visit = (node: LintNode): void => {
    nodes.push(node);
    const { schema, path } = node;
    const below = (child: JSONSchemaProps, name: string, at: string, isRequired: boolean): void =>
      visit({ schema: child, path: at, name, isRequired, inStatus: node.inStatus || at === 'status' });
    const required = requiredOf(schema);
    for (const name of Object.keys(schema.properties ?? {})) {
      if (path !== '' || !SERVER_FIELDS.has(name))
        below(schema.properties![name]!, name, join(path, name), required.has(name));
    }
    if (isSchema(schema.items)) below(schema.items, '', `${path}[*]`, false);
    if (isSchema(schema.additionalProperties)) below(schema.additionalProperties, '', join(path, '*'), false);
  };
  visit({ schema: root, path: '', name: '', isRequired: false, inStatus: false });
  return nodes;
}
