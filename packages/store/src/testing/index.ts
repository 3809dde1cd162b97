// For the tests and benchmarks of other rooms: real etcd clusters.
export { EtcdCluster, type EtcdClusterOptions, EtcdMember, whyNoEtcd } from './etcd-process.ts';
