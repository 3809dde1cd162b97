// A string without a limit.
import { enumOf, limitOf } from '../../walk/node-pair.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const unboundedString: NodeLintRule = {
  kind: 'node',
  id: 'unbounded-string',
  title: 'A string without a limit',
  explanation:
    'A string without maxLength can be as long as an object may be. Validation rules that look at it are estimated by that length and refused as too costly; a limit that is added later breaks.',
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
