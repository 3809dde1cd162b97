// The defaults of a definition in v1beta1, which leaves more out than v1.
import { fillInNames, fillInStoredVersions } from '../defaults.ts';
import type { V1beta1CustomResourceDefinition, V1beta1Spec } from './types.ts';

/** Changes `crd`. Runs at every decoding. */
export function applyV1beta1Defaults({ spec, status }: V1beta1CustomResourceDefinition): void {
  if (!spec.scope) spec.scope = 'Namespaced';
  fillInNames(spec.names);
  fillInVersions(spec);
  fillInStoredVersions(status, spec.versions);
  spec.conversion ??= { strategy: 'None' };
  const { conversion } = spec;
  if (conversion.strategy === 'Webhook' && (conversion.conversionReviewVersions ?? []).length === 0) {
    conversion.conversionReviewVersions = ['v1beta1'];
  }
  spec.preserveUnknownFields ??= true;
}

/** A single version becomes a list of one, and the first of a list the single version. */
function fillInVersions(spec: V1beta1Spec): void {
  const { version = '', versions = [] } = spec;
  if (versions.length === 0 && version !== '')
    spec.versions = [{ name: version, served: true, storage: true }];
  else if (version === '' && versions.length > 0) spec.version = versions[0]!.name;
}
