// Real etcd processes.
export { EtcdCluster, EtcdMember, missingEtcd } from './etcd-cluster.ts';
