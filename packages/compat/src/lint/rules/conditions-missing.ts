// No status.conditions.
import type { JSONSchemaProps } from '@instar/schema';
import { isSchema } from '../../walk/walk-schemas.ts';
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

export const conditionsMissing: VersionLintRule = {
  kind: 'version',
  id: 'conditions-missing',
  title: 'No status.conditions',
  explanation:
    'Users and tools (kubectl wait, health checks, other controllers) read the state of an object from its conditions. Think about how your users will use the resource.',
  instead: 'Add status.conditions, a list with x-kubernetes-list-type: map and the key type.',
  profiles: { default: 'warning', 'gateway-api': 'error', strict: 'error' },
  examples: [
    { title: 'missing', definition: {}, found: true },
    {
      title: 'present',
      definition: {
        spec: {
          versions: [
            {
              ...V1,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    status: {
                      type: 'object',
                      properties: {
                        conditions: {
                          type: 'array',
                          items: { type: 'object', properties: { type: { type: 'string' } } },
                          'x-kubernetes-list-type': 'map',
                          'x-kubernetes-list-map-keys': ['type'],
                        },
                      },
                    },
                  },
                },
              },
            },
          ],
        },
      },
      found: false,
    },
    {
      title: 'without keys',
      definition: {
        spec: {
          versions: [
            {
              ...V1,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    status: {
                      type: 'object',
                      properties: { conditions: { type: 'array', items: { type: 'object' } } },
                    },
                  },
                },
              },
            },
          ],
        },
      },
      found: true,
    },
  ],
  look: ({ schema }) => {
    const status = schema?.openAPIV3Schema?.properties?.['status'];
    if (status?.['x-kubernetes-preserve-unknown-fields'] === true) return [];
    const found = conditionsIn(status);
    if (found === undefined) return [{ message: 'has no conditions', path: 'status' }];
    const isKeyed = found.schema['x-kubernetes-list-map-keys']?.join() === 'type';
    return isKeyed ? [] : [{ message: 'is not a list map with the key type', path: found.path }];
  },
};

/** In the status itself or in the items of a list there: routes have conditions for each parent. */
function conditionsIn(
  status: JSONSchemaProps | undefined,
): { schema: JSONSchemaProps; path: string } | undefined {
  const fields = status?.properties ?? {};
  if (Object.hasOwn(fields, 'conditions'))
    return { schema: fields['conditions']!, path: 'status.conditions' };
  for (const [name, { items }] of Object.entries(fields)) {
    const nested = isSchema(items) ? items.properties?.['conditions'] : undefined;
    if (nested !== undefined) return { schema: nested, path: `status.${name}[*].conditions` };
  }
  return undefined;
}
