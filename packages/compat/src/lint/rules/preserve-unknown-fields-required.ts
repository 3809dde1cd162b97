// A version that prunes unknown fields.
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

export const preserveUnknownFieldsRequired: VersionLintRule = {
  kind: 'version',
  id: 'preserve-unknown-fields-required',
  title: 'A version that prunes unknown fields',
  explanation:
    'The guidelines: every version must set x-kubernetes-preserve-unknown-fields, so that a tool can see everything that is stored and convert it without a webhook.',
  instead: 'Set x-kubernetes-preserve-unknown-fields: true at the root of the schema.',
  profiles: { 'gateway-api': 'error' },
  examples: [
    { title: 'not set', definition: {}, found: true },
    {
      title: 'set',
      definition: {
        spec: {
          versions: [
            {
              ...V1,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      },
      found: false,
    },
  ],
  look: ({ schema }) =>
    schema?.openAPIV3Schema?.['x-kubernetes-preserve-unknown-fields'] === true
      ? []
      : [{ message: 'prunes fields that it does not specify' }],
};
