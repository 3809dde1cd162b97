// The kinds that ship with the server. Within a group in alphabetical order, as discovery lists them.
import type { ResourceDefinition } from '../objects/definition.ts';
import {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './builtin/admission-policy.ts';
import { configMaps } from './builtin/config-map.ts';
import { customResourceDefinitions } from './builtin/custom-resource-definition.ts';
import { endpointSlices } from './builtin/endpoint-slice.ts';
import { endpoints } from './builtin/endpoints.ts';
import { events } from './builtin/event.ts';
import { leases } from './builtin/lease.ts';
import { namespaces } from './builtin/namespace.ts';
import { clusterRoleBindings, roleBindings } from './builtin/rbac-binding.ts';
import { clusterRoles, roles } from './builtin/rbac-role.ts';
import { secrets } from './builtin/secret.ts';
import { services } from './builtin/service.ts';
import { serviceAccounts } from './builtin/service-account.ts';
import { storageVersionMigrations } from './builtin/storage-version-migration.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './builtin/webhook-configuration.ts';

export const builtinDefinitions: readonly ResourceDefinition[] = [
  configMaps,
  endpoints,
  events,
  namespaces,
  secrets,
  serviceAccounts,
  services,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  leases,
  endpointSlices,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  storageVersionMigrations,
];
