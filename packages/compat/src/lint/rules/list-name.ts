// A list whose name is not a plural.
import type { NodeLintRule } from '../lint-rule.ts';

export const listName: NodeLintRule = {
  kind: 'node',
  id: 'list-name',
  title: 'A list whose name is not a plural',
  explanation:
    'By the API conventions, lists have plural names, so that readers can distinguish lists from single values.',
  instead: 'Use a plural: rules, ports, addresses.',
  profiles: { 'gateway-api': 'info', strict: 'info' },
  examples: [
    {
      title: 'singular',
      spec: { type: 'object', properties: { port: { type: 'array', items: { type: 'integer' } } } },
      found: true,
    },
    {
      title: 'plural',
      spec: { type: 'object', properties: { ports: { type: 'array', items: { type: 'integer' } } } },
      found: false,
    },
  ],
  look: ({ schema, name }) =>
    schema.type === 'array' &&
    name !== '' &&
    !/(s|data|info|children|people|criteria|status|path|allOf|anyOf|args|command|env|envFrom|volumeDevices)$/i.test(
      name,
    )
      ? 'is a list, and its name is not a plural'
      : undefined,
};
