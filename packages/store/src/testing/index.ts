// For the tests and benchmarks of other rooms: real etcd clusters, and ports to come back to.
export { EtcdCluster, type EtcdClusterOptions, EtcdMember, whyNoEtcd } from './etcd-process.ts';
export { freePort, freePorts } from './free-ports.ts';
