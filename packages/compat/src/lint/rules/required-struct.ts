// A nested object that is required.
import type { NodeLintRule } from '../lint-rule.ts';

export const requiredStruct: NodeLintRule = {
  kind: 'node',
  id: 'required-struct',
  title: 'A nested object that is required',
  explanation:
    'A required struct (in Go: one that is not a pointer) can never be omitted, and fields added to it later tend to be required too. Optional structs can become unions.',
  instead: 'Make the object optional: a pointer with omitempty and +optional in Go.',
  profiles: { default: 'info', 'gateway-api': 'warning', strict: 'warning' },
  examples: [
    {
      title: 'required',
      spec: {
        type: 'object',
        required: ['roundConfig'],
        properties: { roundConfig: { type: 'object', properties: { radius: { type: 'integer' } } } },
      },
      found: true,
    },
    {
      title: 'optional',
      spec: {
        type: 'object',
        properties: { roundConfig: { type: 'object', properties: { radius: { type: 'integer' } } } },
      },
      found: false,
    },
  ],
  look: ({ schema, isRequired, path, inStatus }) =>
    isRequired && !inStatus && path !== 'spec' && schema.type === 'object' && schema.properties !== undefined
      ? 'is a required object'
      : undefined,
};
