// A whole object without a schema.
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

export const preserveUnknownFieldsRoot: VersionLintRule = {
  kind: 'version',
  id: 'preserve-unknown-fields-root',
  title: 'A whole object without a schema',
  explanation:
    'Where unknown fields are kept, typing errors are kept too: nothing tells users that a field does not exist. Most projects want it for single fields that hold free content only.',
  instead:
    'Declare the fields. (Projects that follow the guidelines of Gateway API use the profile gateway-api, which asks for the opposite.)',
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
    const places = [
      ['', root],
      ['spec', root?.properties?.['spec']],
    ] as const;
    return places.flatMap(([path, one]) =>
      one?.['x-kubernetes-preserve-unknown-fields'] === true
        ? [{ message: 'keeps fields that nothing describes', path }]
        : [],
    );
  },
};
