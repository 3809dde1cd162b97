// A field that is not in lowerCamelCase.
import type { NodeLintRule } from '../lint-rule.ts';

export const fieldName: NodeLintRule = {
  kind: 'node',
  id: 'field-name',
  title: 'A field that is not in lowerCamelCase',
  explanation:
    'By the API conventions, fields are in lowerCamelCase, without dashes and underscores; JSONPath, CEL and generated clients need such names.',
  instead: 'Choose the name before the first release: renaming a field breaks all clients.',
  profiles: { default: 'warning', 'gateway-api': 'error', strict: 'error' },
  examples: [
    {
      title: 'a dash',
      spec: { type: 'object', properties: { 'max-size': { type: 'integer' } } },
      found: true,
    },
    { title: 'a capital', spec: { type: 'object', properties: { Size: { type: 'integer' } } }, found: true },
    {
      title: 'lowerCamelCase',
      spec: { type: 'object', properties: { maxSize: { type: 'integer' } } },
      found: false,
    },
  ],
  look: ({ name }) =>
    name === '' || /^[a-z][a-zA-Z0-9]*$/.test(name) ? undefined : 'is not in lowerCamelCase',
};
