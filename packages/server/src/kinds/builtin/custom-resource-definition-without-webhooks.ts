// CustomResourceDefinitions with the feature gate CustomResourceWebhookConversion disabled: versions that
// differ and conversion webhooks can be kept but not added.
import {
  type CustomResourceDefinition,
  clearGated,
  clearGatedV1beta1,
  explainGated,
  toV1beta1,
  type V1beta1CustomResourceDefinition,
} from '@instar/crd';
import type { KubeObject } from '@instar/machinery';
import type { ResourceDefinition } from '../../objects/definition.ts';
import { asCrd, BETA } from './custom-resource-definition.ts';

export function withoutWebhookConversion(definition: ResourceDefinition): ResourceDefinition {
  const { strategy } = definition;
  return {
    ...definition,
    strategy: {
      ...strategy,
      prepareForCreate(object, context) {
        clear(object, undefined);
        strategy.prepareForCreate?.(object, context);
      },
      prepareForUpdate(object, old, context) {
        if (context.subresource === '') clear(object, asCrd(old));
        strategy.prepareForUpdate?.(object, old, context);
      },
      *validateInSteps(object, old, context) {
        return explainGated(yield* strategy.validateInSteps!(object, old, context));
      },
    },
  };
}

function clear(object: KubeObject, old: CustomResourceDefinition | undefined): void {
  if (object.apiVersion === BETA)
    clearGatedV1beta1(object as V1beta1CustomResourceDefinition, old && toV1beta1(old));
  else clearGated(object as CustomResourceDefinition, old);
}
