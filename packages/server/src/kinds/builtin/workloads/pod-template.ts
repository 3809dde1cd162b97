// v1 PodTemplate: a template of pods that is kept by itself.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  deepEqual,
  FieldPath,
  type KubeObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { column, nameColumn } from '../../table/columns.ts';
import type { PodTemplateSpec } from '../../validate/pod/pod-types.ts';
import { validatePodTemplateSpec } from '../../validate/pod-spec.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from './template-rules.ts';
import { containerColumns, labelsText, memberAt } from './workload-columns.ts';

interface PodTemplate extends KubeObject {
  template: PodTemplateSpec;
}

const TEMPLATE = FieldPath.of('template');
const templateOf = (object: KubeObject): PodTemplateSpec => (object as PodTemplate).template;

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
      columns: [
        nameColumn,
        ...containerColumns(['template'], column),
        column('Pod Labels', 'The labels of the pods.', (object) =>
          labelsText(memberAt(object, 'template', 'metadata', 'labels')),
        ),
      ],
    },
  ],
  strategy: {
    prepareForCreate: ({ metadata }) => {
      metadata.generation = 1;
    },
    prepareForUpdate: (object, old) => {
      const [{ template }, { template: before }] = [object as PodTemplate, old as PodTemplate];
      if (!deepEqual(template as never, before as never))
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validatePodTemplateSpec((object as PodTemplate).template, TEMPLATE),
    ],
    validateUpdate: (object, old) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validatePodTemplateSpec((object as PodTemplate).template, TEMPLATE),
    ],
    warnings: (object, old, { subresource }) =>
      templateWarnings(object, old, subresource, TEMPLATE, templateOf),
    returnDeletedObject: true,
  },
  ownMetadataValidation: true,
});
