// A reference into another namespace.
import type { NodeLintRule } from '../lint-rule.ts';

export const crossNamespaceReference: NodeLintRule = {
  kind: 'node',
  id: 'cross-namespace-reference',
  title: 'A reference into another namespace',
  explanation:
    'A user who may write the object can access objects in another namespace with the permissions of the controller. A reference across namespaces needs a handshake from the other side.',
  instead:
    'Refer by name within the namespace, or require a grant in the other one, such as a ReferenceGrant.',
  profiles: { default: 'warning', 'gateway-api': 'info', strict: 'error' },
  examples: [
    {
      title: 'name and namespace',
      spec: {
        type: 'object',
        properties: {
          secretRef: {
            type: 'object',
            properties: { name: { type: 'string' }, namespace: { type: 'string' } },
          },
        },
      },
      found: true,
    },
    {
      title: 'a name only',
      spec: {
        type: 'object',
        properties: { secretRef: { type: 'object', properties: { name: { type: 'string' } } } },
      },
      found: false,
    },
  ],
  look: ({ schema, inStatus, path }) =>
    !inStatus &&
    path !== '' &&
    ['name', 'namespace'].every((field) => Object.hasOwn(schema.properties ?? {}, field))
      ? 'refers to an object by name and namespace'
      : undefined,
};
