// The kinds that ship with the server. Within a group in alphabetical order, as discovery lists them.
import type { ResourceDefinition } from '../resource/definition.ts';
import { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } from './kinds/admission-policy.ts';
import { configMaps } from './kinds/config-map.ts';
import { customResourceDefinitions } from './kinds/custom-resource-definition.ts';
import { endpointSlices } from './kinds/endpoint-slice.ts';
import { endpoints } from './kinds/endpoints.ts';
import { events } from './kinds/event.ts';
import { leases } from './kinds/lease.ts';
import { namespaces } from './kinds/namespace.ts';
import { clusterRoleBindings, roleBindings } from './kinds/rbac-binding.ts';
import { clusterRoles, roles } from './kinds/rbac-role.ts';
import { secrets } from './kinds/secret.ts';
import { services } from './kinds/service.ts';
import { serviceAccounts } from './kinds/service-account.ts';
import { storageVersionMigrations } from './kinds/storage-version-migration.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './kinds/webhook-configuration.ts';

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
