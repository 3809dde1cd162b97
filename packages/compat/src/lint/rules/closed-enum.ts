// An enum that is not declared open.
import { isDeclaredOpen } from '../../fields/open-enum.ts';
import { enumOf } from '../../walk/node-pair.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const closedEnum: NodeLintRule = {
  kind: 'node',
  id: 'closed-enum',
  title: 'An enum that is not declared open',
  explanation:
    'Enums tend to get more values. Unless the description says so, and what happens with an unknown value, implementations do not expect one, and adding a value breaks them.',
  instead:
    'Document in the description that values may be added and what an implementation does with one that it does not know.',
  profiles: { default: 'warning', 'gateway-api': 'error', strict: 'error' },
  examples: [
    {
      title: 'no description',
      spec: { type: 'object', properties: { type: { type: 'string', enum: ['round'] } } },
      found: true,
    },
    {
      title: 'declared open',
      spec: {
        type: 'object',
        properties: {
          type: {
            type: 'string',
            enum: ['round'],
            description: 'The shape. More values may be added; unknown ones are reported in status.',
          },
        },
      },
      found: false,
    },
  ],
  look: ({ schema }) =>
    enumOf(schema) !== undefined && !isDeclaredOpen(schema.description)
      ? 'is an enum that is not declared open for new values'
      : undefined,
};
