// A reference into another namespace.
import type { NodeLintRule } from '../lint-rule.ts';

export const crossNamespaceReference: NodeLintRule = {
  kind: 'node',
  id: 'cross-namespace-reference',
  title: 'A reference into another namespace',
  explanation:
    'Who may write the object reaches into a namespace that is not theirs, with the rights of the controller. A reference across namespaces needs a handshake from the other side.',
  instead: 'Refer by name within the namespace, or demand a grant there, as ReferenceGrant does.',
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
