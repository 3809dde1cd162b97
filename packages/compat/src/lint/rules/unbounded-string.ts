// A string without a limit.
import { enumOf, limitOf } from '../../walk/node-pair.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const unboundedString: NodeLintRule = {
  kind: 'node',
  id: 'unbounded-string',
  title: 'A string without a limit',
  explanation:
    'A string without maxLength can be as long as a whole object. The cost of validation rules that use it is estimated by that length and can exceed the limit; adding a limit later is a breaking change.',
  instead: 'Set maxLength (or an enum, or a format) from the start.',
  profiles: { 'gateway-api': 'warning', strict: 'warning' },
  examples: [
    { title: 'no limit', spec: { type: 'object', properties: { name: { type: 'string' } } }, found: true },
    {
      title: 'a limit',
      spec: { type: 'object', properties: { name: { type: 'string', maxLength: 63 } } },
      found: false,
    },
    {
      title: 'listed values',
      spec: { type: 'object', properties: { name: { type: 'string', enum: ['a'] } } },
      found: false,
    },
  ],
  look: ({ schema, inStatus }) =>
    schema.type === 'string' &&
    !inStatus &&
    limitOf(schema, 'maxLength') === undefined &&
    enumOf(schema) === undefined &&
    schema.format === undefined
      ? 'has no maxLength'
      : undefined,
};
