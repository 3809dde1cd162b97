// Cluster API's migrator of stored versions, and its use of server-side apply. A migrator exists because an
// apply fails on kube-apiserver while an owner of fields is of a version that is gone; `--strict` makes it
// fail here, too.
import { GoSuite } from '../go-suite.mjs';

const PACKAGES = ['controllers/crdmigrator', 'core/reconcilers/topology/cluster/structuredmerge'];

export default {
  name: 'crdmigrator',
  needs: ['go', 'kubectl'],
  onlyByName: true,
  async run(context) {
    const suite = new GoSuite(context, 'sigs.k8s.io/cluster-api', { pins: 'go/capi' });
    // Its tests read the definitions of the whole module.
    await suite.prepare(PACKAGES, ['.']);
    await suite.passToServer('--strict');
    const specs = [];
    for (const path of PACKAGES) specs.push(...(await suite.tests(path)));
    return specs;
  },
};
