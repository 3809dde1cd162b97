// A small Kubernetes client. Objects are KubeObjects of machinery, errors are machinery's ApiErrors.
export { PluginError } from './auth/run-plugin.ts';
export { ConnectionError, type ConnectionFault } from './connection-error.ts';
export { Informer, type InformerHandlers, type InformerOptions } from './informer/informer.ts';
export { objectKey } from './informer/object-store.ts';
export type {
  CallOptions,
  DeleteOptions,
  DiscoveredGroup,
  KubeApi,
  ListOptions,
  ObjectList,
  PageOptions,
  PatchOptions,
  Query,
  RawAnswer,
  RawRequest,
  ResourceInfo,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-api.ts';
export { KubeClient, openKubeClient } from './kube-client.ts';
export { type ClusterAccess, clusterAccessOf } from './kubeconfig/cluster-access.ts';
export { type Kubeconfig, parseKubeconfig } from './kubeconfig/kubeconfig.ts';
export { KubeconfigError } from './kubeconfig/kubeconfig-error.ts';
export { type AccessOptions, readClusterAccess, readKubeconfig } from './kubeconfig/read-access.ts';
export { ApiLeaseLock } from './leader/api-lease-lock.ts';
export { type ResourceRef, resourcePath } from './resource-ref.ts';
export { apiErrorOf } from './transport/api-error-of.ts';
export type { TransportOptions } from './transport/transport.ts';
