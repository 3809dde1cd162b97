// DefaultIngressClass: an ingress that names no class gets the default one, if there is one.
import { isDefaultIngressClass } from '../../../kinds/builtin/ingress-class.ts';
import { INGRESS_CLASS_ANNOTATION, type Ingress } from '../../../kinds/validate/ingress.ts';
import { findDefaultClass } from './default-class.ts';
import { isWholeCreate, type PluginDefinition } from './plugin.ts';

export const defaultIngressClass: PluginDefinition = {
  name: 'DefaultIngressClass',
  make: ({ registry }) => ({
    resources: ['networking.k8s.io/ingresses'],
    async mutate(operation) {
      if (!isWholeCreate(operation)) return;
      const { metadata, spec } = operation.object as Ingress;
      const isNamed = Object.hasOwn(metadata.annotations ?? {}, INGRESS_CLASS_ANNOTATION);
      if (isNamed || spec.ingressClassName !== undefined) return;
      const classes = registry.get('networking.k8s.io', 'ingressclasses')!;
      const name = await findDefaultClass(classes, isDefaultIngressClass);
      if (name !== undefined) spec.ingressClassName = name;
    },
  }),
};
