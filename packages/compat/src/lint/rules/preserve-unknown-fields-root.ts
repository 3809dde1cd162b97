// A whole object without a schema.
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

export const preserveUnknownFieldsRoot: VersionLintRule = {
  kind: 'version',
  id: 'preserve-unknown-fields-root',
  title: 'A whole object without a schema',
  explanation:
    'If unknown fields are preserved, misspelled fields are preserved too, and users get no error. Most projects use it only for single fields with arbitrary content.',
  instead:
    'Declare the fields. (Projects that follow the guidelines of Gateway API use the profile gateway-api, which requires the opposite.)',
  profiles: { default: 'info', strict: 'warning' },
  examples: [
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
      found: true,
    },
    { title: 'not set', definition: {}, found: false },
  ],
  look: ({ schema }) => {
    const root = schema?.openAPIV3Schema;
    const schemas = [
      ['', root],
      ['spec', root?.properties?.['spec']],
    ] as const;
    return schemas.flatMap(([path, one]) =>
      one?.['x-kubernetes-preserve-unknown-fields'] === true
        ? [{ message: 'preserves fields that no schema specifies', path }]
        : [],
    );
  },
};
