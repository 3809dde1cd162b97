// controller-runtime's own tests: every package of it that starts a control plane with envtest.
import { GoSuite } from '../go-suite.mjs';

const PACKAGES = [
  'envtest',
  'internal/testing/controlplane',
  'webhook',
  'client',
  'cache',
  'manager',
  'builder',
  'controller',
  'controller/controllerutil',
  'internal/recorder',
  'source',
  'handler',
  'cluster',
  'metrics/filters',
  'manager/internal/integration',
  'reconcile',
].map((path) => `pkg/${path}`);

export default {
  name: 'controller-runtime',
  needs: ['go', 'kubectl'],
  isOptional: true,
  onlyByName: true,
  async run(context) {
    const suite = new GoSuite(context, 'sigs.k8s.io/controller-runtime');
    await suite.prepare([...PACKAGES, 'pkg/client/apiutil'], ['pkg']);
    const specs = [];
    for (const path of PACKAGES) specs.push(...(await suite.ginkgo(path)));
    // The other half starts a kube-apiserver 1.28, which it downloads.
    const run = ['-test.run', '/aggregatedDiscovery=true'];
    return [...specs, ...(await suite.tests('pkg/client/apiutil', run))];
  },
};
