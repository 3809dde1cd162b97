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
import { horizontalPodAutoscalers } from './builtin/horizontal-pod-autoscaler.ts';
import { leases } from './builtin/lease.ts';
import { namespaces } from './builtin/namespace.ts';
import { podDisruptionBudgets } from './builtin/pod-disruption-budget.ts';
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
import { controllerRevisions } from './builtin/workloads/controller-revision.ts';
import { cronJobs } from './builtin/workloads/cron-job.ts';
import { daemonSets } from './builtin/workloads/daemon-set.ts';
import { deployments } from './builtin/workloads/deployment.ts';
import { jobs } from './builtin/workloads/job.ts';
import { podTemplates } from './builtin/workloads/pod-template.ts';
import { replicaSets } from './builtin/workloads/replica-set.ts';
import { replicationControllers } from './builtin/workloads/replication-controller.ts';
import { statefulSets } from './builtin/workloads/stateful-set.ts';

export const builtinDefinitions: readonly ResourceDefinition[] = [
  configMaps,
  endpoints,
  events,
  namespaces,
  podTemplates,
  replicationControllers,
  secrets,
  serviceAccounts,
  services,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  horizontalPodAutoscalers,
  cronJobs,
  jobs,
  leases,
  endpointSlices,
  podDisruptionBudgets,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  storageVersionMigrations,
];
