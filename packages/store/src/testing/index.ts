// For the tests and benchmarks of other rooms: engines that copy, real etcd clusters, and ports to come back to.
export { copying } from './copying-store.ts';
export { EtcdCluster, type EtcdClusterOptions, EtcdMember, whyNoEtcd } from './etcd-process.ts';
export { freePort, freePorts } from './free-ports.ts';
