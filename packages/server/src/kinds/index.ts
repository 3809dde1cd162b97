// The kinds that ship with the server. Within a group in alphabetical order, as discovery lists them.
import type { ResourceDefinition } from '../objects/definition.ts';
import {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './builtin/admission-policy.ts';
import { horizontalPodAutoscalers } from './builtin/autoscaling/horizontal-pod-autoscaler.ts';
import { certificateSigningRequests } from './builtin/certificate-signing-request.ts';
import { configMaps } from './builtin/config-map.ts';
import { csiDrivers } from './builtin/csi-driver.ts';
import { csiNodes } from './builtin/csi-node.ts';
import { csiStorageCapacities } from './builtin/csi-storage-capacity.ts';
import { customResourceDefinitions } from './builtin/custom-resource-definition.ts';
import { deviceClasses } from './builtin/device-class.ts';
import { endpointSlices } from './builtin/endpoint-slice.ts';
import { endpoints } from './builtin/endpoints.ts';
import { events } from './builtin/event.ts';
import { flowSchemas } from './builtin/flow-schema.ts';
import { ingresses } from './builtin/ingress.ts';
import { ingressClasses } from './builtin/ingress-class.ts';
import { ipAddresses } from './builtin/ip-address.ts';
import { leases } from './builtin/lease.ts';
import { limitRanges } from './builtin/limit-range.ts';
import { mutatingAdmissionPolicies, mutatingAdmissionPolicyBindings } from './builtin/mutating-policy.ts';
import { namespaces } from './builtin/namespace.ts';
import { networkPolicies } from './builtin/network-policy.ts';
import { nodes } from './builtin/node.ts';
import { persistentVolumes } from './builtin/persistent-volume.ts';
import { persistentVolumeClaims } from './builtin/persistent-volume-claim.ts';
import { pods } from './builtin/pod.ts';
import { podDisruptionBudgets } from './builtin/pod-disruption-budget.ts';
import { priorityClasses } from './builtin/priority-class.ts';
import { priorityLevelConfigurations } from './builtin/priority-level-configuration.ts';
import { clusterRoleBindings, roleBindings } from './builtin/rbac-binding.ts';
import { clusterRoles, roles } from './builtin/rbac-role.ts';
import { resourceClaims } from './builtin/resource-claim.ts';
import { resourceClaimTemplates } from './builtin/resource-claim-template.ts';
import { resourceQuotas } from './builtin/resource-quota.ts';
import { resourceSlices } from './builtin/resource-slice.ts';
import { runtimeClasses } from './builtin/runtime-class.ts';
import { secrets } from './builtin/secret.ts';
import { services } from './builtin/service.ts';
import { serviceAccounts } from './builtin/service-account.ts';
import { serviceCidrs } from './builtin/service-cidr.ts';
import { storageClasses } from './builtin/storage-class.ts';
import { storageVersionMigrations } from './builtin/storage-version-migration.ts';
import { volumeAttachments } from './builtin/volume-attachment.ts';
import { volumeAttributesClasses } from './builtin/volume-attributes-class.ts';
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
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
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
  certificateSigningRequests,
  leases,
  endpointSlices,
  flowSchemas,
  priorityLevelConfigurations,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
  runtimeClasses,
  podDisruptionBudgets,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
  priorityClasses,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
  storageVersionMigrations,
];
