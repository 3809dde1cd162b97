// What the two programs answer to --help. envtest looks there for flags that some releases lack.
import { Command } from 'commander';
import { apiServerOptions } from '../serve/command.ts';
import { ETCD_FLAGS } from './etcd-flags.ts';

export function apiServerHelp(): string {
  const command = new Command('kube-apiserver').helpOption(false);
  for (const option of apiServerOptions()) command.addOption(option);
  return command.helpInformation();
}

export function etcdHelp(): string {
  const flags = [...ETCD_FLAGS].map((name) => `  --${name}`);
  return ['Usage: etcd [flags]', '', 'Answers as a healthy etcd and stores nothing.', '', ...flags].join(
    '\n',
  );
}
