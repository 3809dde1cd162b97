// controller-runtime's own tests: every package of it that starts a control plane with envtest. CI runs those
// of its clients, with what they need of the API: the caches alone take as long as all others.
import { GoSuite } from '../go-suite.mjs';

const IN_CI = ['client', 'controller/controllerutil', 'handler', 'metrics/filters'];
const BY_NAME = [
  ...['envtest', 'internal/testing/controlplane', 'webhook', 'cache', 'manager', 'builder', 'controller'],
  ...['internal/recorder', 'source', 'cluster', 'manager/internal/integration', 'reconcile'],
];

export default {
  name: 'controller-runtime',
  needs: ['go', 'kubectl'],
  inPartUnlessNamed: true,
  async run(context) {
    const suite = new GoSuite(context, 'sigs.k8s.io/controller-runtime');
    const all = [...IN_CI, ...BY_NAME].map((path) => `pkg/${path}`);
    const ginkgo = context.isNamed ? all : IN_CI.map((path) => `pkg/${path}`);
    const plain = context.isNamed ? ['pkg/client/apiutil'] : [];
    await suite.prepare([...ginkgo, ...plain], ['pkg']);
    const specs = [];
    for (const path of ginkgo) specs.push(...(await suite.ginkgo(path)));
    // The other half starts a kube-apiserver 1.28, which it downloads.
    const run = ['-test.run', '/aggregatedDiscovery=true'];
    for (const path of plain) specs.push(...(await suite.tests(path, run)));
    return specs;
  },
};
