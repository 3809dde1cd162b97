// Real etcd processes.
export { EtcdCluster, type EtcdClusterOptions, EtcdMember, missingEtcd } from './etcd-cluster.ts';
