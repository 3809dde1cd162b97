// v1 PodTemplate: a template of pods that is kept by itself.

import { goStruct } from '@instar/kinds';
import { FieldPath, type KubeObject } from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import type { PodTemplateSpec } from '../../validate/pod/pod-types.ts';
import { validatePodTemplateSpec } from '../../validate/pod-spec.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { podTemplateWarnings } from '../pod/pod-warnings.ts';

const TEMPLATE = FieldPath.of('template');

const templateOf = (object: KubeObject) => object['template'] as unknown as PodTemplateSpec;
const validate = (object: KubeObject) => validatePodTemplateSpec(templateOf(object), TEMPLATE);

export const podTemplates = defineKind({
  plural: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  storagePath: 'podtemplates/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.PodTemplate'),
      fillIn: ({ template }) => fillInPodTemplate(template),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {
    validateCreate: validate,
    validateUpdate: validate,
    warnings: (object) => podTemplateWarnings(templateOf(object), TEMPLATE),
  },
});
