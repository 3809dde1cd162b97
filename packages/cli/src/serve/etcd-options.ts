// Flags for the connection to etcd, for every command that opens a storage. The names are those of
// kube-apiserver.
import { Option } from 'commander';

export const etcdOptions = (): Option[] => [
  new Option('--etcd-cafile <file>', 'the CA that signed the certificates of etcd'),
  new Option('--etcd-certfile <file>', 'a client certificate for etcd'),
  new Option('--etcd-keyfile <file>', 'the key of --etcd-certfile'),
  new Option(
    '--etcd-username <name>',
    'a user of etcd; the password is in the environment variable INSTAR_ETCD_PASSWORD',
  ),
];
