// resource.k8s.io/v1 DeviceClass: devices that can be claimed together under one name.

import { goStruct } from '@instar/kinds';
import { type FieldError, FieldPath, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';
import {
  type Configuration,
  validateConfiguration,
  validateItems,
  validateSelectors,
} from '../validate/device-claim.ts';
import { countSpecChanges } from './counted-spec.ts';

interface DeviceClass extends KubeObject {
  spec: { selectors?: { cel?: { expression: string } }[]; config?: Configuration[] };
}

const MAX_CONFIGURATIONS = 32;
const SPEC = FieldPath.of('spec');

const validate = ({ spec }: DeviceClass): FieldError[] => [
  ...validateSelectors(spec.selectors ?? [], SPEC.child('selectors')),
  ...validateItems(spec.config ?? [], MAX_CONFIGURATIONS, SPEC.child('config'), validateConfiguration),
];

export const deviceClasses = defineKind({
  plural: 'deviceclasses',
  kind: 'DeviceClass',
  namespaced: false,
  storagePath: 'deviceclasses/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.DeviceClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {
    ...countSpecChanges,
    validateCreate: (it) => validate(it as DeviceClass),
    validateUpdate: (it) => validate(it as DeviceClass),
    returnDeletedObject: true,
  },
});
