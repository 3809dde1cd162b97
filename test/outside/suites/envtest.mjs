// envtest as its users use it: the tests of go/envtest_test.go.
import { GoSuite } from '../go-suite.mjs';

export default {
  name: 'envtest',
  needs: ['go', 'kubectl'],
  async run(context) {
    const suite = new GoSuite(context, 'instar.dev/outside');
    await suite.prepare(['.']);
    return suite.tests('.');
  },
};
