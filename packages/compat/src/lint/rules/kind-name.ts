// A kind or version with an unusual name.
import { V1 } from '../example-version.ts';
import type { VersionLintRule } from '../lint-rule.ts';

export const kindName: VersionLintRule = {
  kind: 'version',
  id: 'kind-name',
  title: 'A kind or version with an unusual name',
  explanation:
    'Kinds are singular and in CamelCase. Versions have the form v1, v1beta1 or v1alpha1: clients sort versions by that form, and others come last.',
  instead: 'Choose the names before the first release.',
  profiles: { default: 'warning', 'gateway-api': 'error', strict: 'error' },
  examples: [
    { title: 'lowercase', definition: { spec: { names: { kind: 'widget' } } }, found: true },
    {
      title: 'a version of another form',
      definition: { spec: { versions: [{ ...V1, name: 'one' }] } },
      found: true,
    },
    { title: 'usual names', definition: {}, found: false },
  ],
  look: ({ name }, { spec }) => [
    ...(/^[A-Z][A-Za-z0-9]*$/.test(spec.names.kind)
      ? []
      : [{ message: `kind ${spec.names.kind} is not in CamelCase` }]),
    ...(/^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(name)
      ? []
      : [{ message: `version ${name} is not of the form v1, v1beta1 or v1alpha1` }]),
  ],
};
