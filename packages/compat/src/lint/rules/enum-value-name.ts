// Enum values that are not in CamelCase.
import { enumOf } from '../../walk/node-pair.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const enumValueName: NodeLintRule = {
  kind: 'node',
  id: 'enum-value-name',
  title: 'Enum values that are not in CamelCase',
  explanation:
    'By the API conventions values of enums are in CamelCase with a capital first: ClusterFirst, RoundRobin.',
  instead:
    'Choose the words before the first release. Names that others have set, such as HTTP methods or protocols, stay as they are.',
  profiles: { 'gateway-api': 'info', strict: 'info' },
  examples: [
    {
      title: 'small letters',
      spec: { type: 'object', properties: { type: { type: 'string', enum: ['round-robin'] } } },
      found: true,
    },
    {
      title: 'as it should be',
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
