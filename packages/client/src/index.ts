// A small Kubernetes client. Its types are few: objects are KubeObjects of machinery, errors are machinery's ApiErrors.
export { ConnectionError, type ConnectionFault } from './connection-error.ts';
export type * from './kube-api.ts';
export { type ResourceRef, resourcePath, resourceText } from './resource-ref.ts';
