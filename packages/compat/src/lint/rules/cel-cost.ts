// A validation rule that is too costly or does not compile.
import { FieldPath, fieldErrorBody } from '@instar/machinery';
import { checkRules } from '@instar/schema';
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

const TEXTS = { type: 'array', items: { type: 'string' } };
const RULES = [
  { rule: 'self.names.all(a, self.names.all(b, self.names.all(c, a.contains(b) || c.contains(b))))' },
];
const COSTLY = {
  spec: {
    versions: [
      {
        ...V1,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { names: TEXTS }, 'x-kubernetes-validations': RULES },
            },
          },
        },
      },
    ],
  },
};

export const celCost: VersionLintRule = {
  kind: 'version',
  id: 'cel-cost',
  title: 'A validation rule that is too costly or does not compile',
  explanation:
    'The API server estimates the maximum cost of rules and refuses definitions with rules beyond the limit. Unbounded lists, maps and strings increase the estimate.',
  instead: 'Set maxItems, maxProperties and maxLength on everything that the rule uses.',
  profiles: { default: 'error', 'gateway-api': 'error', strict: 'error' },
  examples: [
    { title: 'nested loops over an unbounded list', definition: COSTLY, found: true },
    { title: 'no rules', definition: {}, found: false },
  ],
  look: ({ schema }) =>
    schema?.openAPIV3Schema === undefined
      ? []
      : checkRules(schema.openAPIV3Schema, FieldPath.root).map((error) => ({
          message: fieldErrorBody(error).slice(0, 300),
          path: error.field,
        })),
};
