// Kubernetes' own e2e.test: the specs that need no kubelet (e2e/specs.txt), most of them of conformance.
// Beside the server runs the kube-controller-manager of the same module, for the workloads, quotas and
// endpoints that specs wait for.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GoSuite } from '../go-suite.mjs';

const E2E = 'test/e2e';
const MANAGER = 'cmd/kube-controller-manager';
/** Controllers of the server; kube-controller-manager has the others. */
const OWN = 'namespace-controller,garbage-collector-controller,clusterrole-aggregation-controller';

export default {
  name: 'e2e',
  needs: ['go', 'kubectl'],
  onlyByName: true,
  async run(context) {
    const list = readFileSync(join(context.root, 'test/outside/e2e/specs.txt'), 'utf8');
    const specs = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const suite = new GoSuite(context, 'k8s.io/kubernetes');
    await suite.prepare([E2E], []);
    const manager = await suite.build(MANAGER);
    const server = await context.startServer({ storage: 'memory', flags: [`--controllers=${OWN}`] });
    const stop = await startManager(context, manager, server);
    try {
      return await suite.ginkgo(E2E, flagsOf(server, specs), 2 * 3600_000);
    } finally {
      await stop();
    }
  },
};

const flagsOf = ({ kubeconfig }, specs) => [
  ...['--provider=skeleton', `--kubeconfig=${kubeconfig}`, '--kubectl-path=kubectl'],
  // There are no nodes, and nothing that could be copied from them.
  ...['--allowed-not-ready-nodes=-1', '--minStartupPods=-1', '--num-nodes=1', '--dump-logs-on-failure=false'],
  ...['--ginkgo.timeout=90m', `--ginkgo.focus=${specs.map(escaped).join('|')}`],
];

const escaped = (text) => text.replace(/[\][().+*?|^$\\{}]/g, '\\$&');

async function startManager(context, binary, server) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(context.folder, 'sa.key');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const ca = join(context.folder, 'ca.crt');
  const kubeconfig = await readFile(server.kubeconfig, 'utf8');
  const [, data] = /certificate-authority-data: "?([\w+/=]+)/.exec(kubeconfig) ?? [];
  await writeFile(ca, Buffer.from(data, 'base64'));
  return context.start(binary, [
    ...[
      `--kubeconfig=${server.kubeconfig}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
    ],
    ...[
      `--service-account-private-key-file=${key}`,
      `--root-ca-file=${ca}`,
      '--resource-quota-sync-period=10s',
    ],
    `--controllers=*,-${OWN.replaceAll(',', ',-')}`,
  ]);
}
