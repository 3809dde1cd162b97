// What types and fields are, in words, by the table that has them. A type that is not listed has no words.

import { descriptions as admissionregistrationV1 } from './admissionregistration-v1.ts';
import { descriptions as admissionregistrationV1beta1 } from './admissionregistration-v1beta1.ts';
import { descriptions as autoscalingV1 } from './autoscaling-v1.ts';
import { descriptions as coordinationV1 } from './coordination-v1.ts';
import { descriptions as coreV1 } from './core-v1.ts';
import type { Descriptions } from './descriptions.ts';
import { descriptions as discoveryV1 } from './discovery-v1.ts';
import { descriptions as eventsV1 } from './events-v1.ts';
import { descriptions as metaV1 } from './meta-v1.ts';
import { descriptions as rbacV1 } from './rbac-v1.ts';
import { descriptions as storagemigrationV1 } from './storagemigration-v1.ts';
import { descriptions as storagemigrationV1beta1 } from './storagemigration-v1beta1.ts';

const byTable: ReadonlyMap<string, Descriptions> = new Map([
  ['admissionregistration/v1', admissionregistrationV1],
  ['admissionregistration/v1beta1', admissionregistrationV1beta1],
  ['autoscaling/v1', autoscalingV1],
  ['coordination/v1', coordinationV1],
  ['core/v1', coreV1],
  ['discovery/v1', discoveryV1],
  ['events/v1', eventsV1],
  ['meta/v1', metaV1],
  ['rbac/v1', rbacV1],
  ['storagemigration/v1', storagemigrationV1],
  ['storagemigration/v1beta1', storagemigrationV1beta1],
]);

export const describeTypes = (table: string): Descriptions => byTable.get(table) ?? {};
