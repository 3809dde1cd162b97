// The integration tests of apiextensions-apiserver, over a real etcd that they look into. They start their
// server within the process; overlays/ has the one file that starts Instar instead. CI runs those of
// conversion webhooks.
import { etcdFor } from '../etcd.mjs';
import { GoSuite } from '../go-suite.mjs';

const CONVERSION = 'test/integration/conversion';

export default {
  name: 'apiextensions',
  needs: ['go', 'etcd'],
  inPartUnlessNamed: true,
  async run(context) {
    const packages = context.isNamed ? [CONVERSION, 'test/integration'] : [CONVERSION];
    const overlay = 'apiextensions-apiserver';
    const suite = new GoSuite(context, 'k8s.io/apiextensions-apiserver', { overlay });
    await suite.prepare(packages, ['test/integration']);
    const etcd = await etcdFor(context);
    try {
      const specs = [];
      for (const path of packages)
        specs.push(...(await suite.tests(path, [], { KUBE_INTEGRATION_ETCD_URL: etcd.url })));
      return specs;
    } finally {
      await etcd.close();
    }
  },
};
