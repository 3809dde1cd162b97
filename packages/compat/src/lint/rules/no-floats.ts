// A floating-point number.
import type { NodeLintRule } from '../lint-rule.ts';

export const noFloats: NodeLintRule = {
  kind: 'node',
  id: 'no-floats',
  title: 'A floating-point number',
  explanation:
    'Floating-point numbers can change in round trips and between languages; the API conventions ask to avoid them in spec.',
  instead: 'Use an integer in a smaller unit, a resource quantity or a string.',
  profiles: { default: 'warning', 'gateway-api': 'warning', strict: 'error' },
  examples: [
    { title: 'a fraction', spec: { type: 'object', properties: { ratio: { type: 'number' } } }, found: true },
    {
      title: 'percent',
      spec: { type: 'object', properties: { percent: { type: 'integer' } } },
      found: false,
    },
  ],
  look: ({ schema, inStatus }) =>
    schema.type === 'number' && !inStatus ? 'is a floating-point number' : undefined,
};
