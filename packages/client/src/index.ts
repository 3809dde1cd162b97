// A small Kubernetes client. Its types are few: objects are KubeObjects of machinery, errors are machinery's
// ApiErrors.
export { PluginError } from './auth/run-plugin.ts';
export { Backoff, type BackoffOptions } from './backoff.ts';
export { type Clock, REAL_CLOCK, sleep } from './clock.ts';
export { ConnectionError, type ConnectionFault } from './connection-error.ts';
export { Informer, type InformerHandlers, type InformerOptions } from './informer/informer.ts';
export { keyOf } from './informer/object-store.ts';
export type * from './kube-api.ts';
export { KubeClient, openKubeClient } from './kube-client.ts';
export { type ClusterAccess, clusterAccessOf } from './kubeconfig/cluster-access.ts';
export { type Kubeconfig, mergeKubeconfigs, parseKubeconfig } from './kubeconfig/kubeconfig.ts';
export { KubeconfigError } from './kubeconfig/kubeconfig-error.ts';
export { type AccessOptions, readClusterAccess, readKubeconfig } from './kubeconfig/read-access.ts';
export { LeaderElector, type LeaderElectorOptions } from './leader/leader-elector.ts';
export { type WorkOptions, WorkQueue, type WorkQueueOptions, workOn } from './queue/work-queue.ts';
export { type ResourceRef, resourcePath, resourceText } from './resource-ref.ts';
export { apiErrorOf } from './transport/api-error-of.ts';
export type { TransportOptions } from './transport/transport.ts';
