// No status subresource.
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

export const statusSubresourceMissing: VersionLintRule = {
  kind: 'version',
  id: 'status-subresource-missing',
  title: 'No status subresource',
  explanation:
    'Without the status subresource, users and controllers write the same object, metadata.generation counts changes of status too, and adding it later breaks controllers.',
  instead: 'Add subresources: { status: {} } to the first version.',
  profiles: { default: 'warning', 'gateway-api': 'error', strict: 'error' },
  examples: [
    { title: 'missing', definition: {}, found: true },
    {
      title: 'present',
      definition: { spec: { versions: [{ ...V1, subresources: { status: {} } }] } },
      found: false,
    },
  ],
  look: ({ subresources }) =>
    subresources?.status === undefined ? [{ message: 'has no status subresource' }] : [],
};
