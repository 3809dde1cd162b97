// Enum values that are not in CamelCase.
import { enumOf } from '../../walk/node-pair.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const enumValueName: NodeLintRule = {
  kind: 'node',
  id: 'enum-value-name',
  title: 'Enum values that are not in CamelCase',
  explanation:
    'By the API conventions, enum values are in CamelCase with an initial capital: ClusterFirst, RoundRobin.',
  instead:
    'Choose the values before the first release. Names from other standards, such as HTTP methods or protocols, keep their spelling.',
  profiles: { 'gateway-api': 'info', strict: 'info' },
  examples: [
    {
      title: 'lowercase',
      spec: { type: 'object', properties: { type: { type: 'string', enum: ['round-robin'] } } },
      found: true,
    },
    {
      title: 'CamelCase',
      spec: { type: 'object', properties: { type: { type: 'string', enum: ['RoundRobin'] } } },
      found: false,
    },
  ],
  look: ({ schema }) => {
    const odd = (enumOf(schema) ?? []).filter(
      (value) => typeof value === 'string' && value !== '' && !/^[A-Z][A-Za-z0-9]*$/.test(value),
    );
    return odd.length === 0
      ? undefined
      : `has values that are not in CamelCase: ${odd.slice(0, 4).join(', ')}`;
  },
};
