// resource.k8s.io/v1 ResourceClaimTemplate: from which the claims of pods are made.

import { goStruct } from '@instar/kinds';
import { FieldPath, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';
import { validateUnchanged } from '../validate/checks.ts';
import { type DeviceClaim, validateDeviceClaim } from '../validate/device-claim.ts';
import { fillInRequests } from './device-requests.ts';

interface ResourceClaimTemplate extends KubeObject {
  spec: { spec?: { devices?: DeviceClaim } };
}

const SPEC = FieldPath.of('spec');

export const resourceClaimTemplates = defineKind({
  plural: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  namespaced: true,
  storagePath: 'resourceclaimtemplates/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.ResourceClaimTemplate'),
      fillIn: (template) => fillInRequests(template, 'spec', 'spec'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {
    validateCreate: (it) =>
      validateDeviceClaim(
        (it as ResourceClaimTemplate).spec.spec?.devices ?? {},
        SPEC.child('spec', 'devices'),
      ),
    validateUpdate: (it, old) =>
      validateUnchanged((it as ResourceClaimTemplate).spec, (old as ResourceClaimTemplate).spec, SPEC),
    returnDeletedObject: true,
  },
});
