// The content of a pod without regard to what it was before.
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import { validatePodSpec } from '../pod-spec.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validateImageOfPod } from './containers.ts';
import type { Pod } from './pod-types.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');

export function validatePodContent({ metadata, spec }: Pod): FieldError[] {
  return [
    ...validatePodAnnotations(metadata.annotations ?? {}, spec, ANNOTATIONS),
    ...validatePodSpec(spec, metadata, SPEC),
    ...(spec.serviceAccountName ? [] : validateNoTokens({ spec })),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) =>
        validateImageOfPod(container, SPEC.child(list).index(index)),
      ),
    ),
  ];
}

/** Tokens are those of the service account, which the pod must name. */
function validateNoTokens({ spec }: Pick<Pod, 'spec'>): FieldError[] {
  return (spec.volumes ?? []).flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, i) =>
      serviceAccountToken === undefined
        ? []
        : [
            fieldErrors.forbidden(
              SPEC.child('volumes')
                .index(index)
                .child('projected', 'sources')
                .index(i)
                .child('serviceAccountToken'),
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  );
}

export function validatePodCreate(pod: Pod): FieldError[] {
  const { ephemeralContainers = [], nodeName, schedulingGates = [] } = pod.spec;
  const errors = validatePodContent(pod);
  if (ephemeralContainers.length > 0)
    errors.push(fieldErrors.forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create'));
  if (nodeName && schedulingGates.length > 0) {
    const why = 'cannot be set until all schedulingGates have been cleared';
    errors.push(fieldErrors.forbidden(SPEC.child('nodeName'), why));
  }
  return errors;
}
