// Every namespace has a config map with the certificate that clients in its pods trust: it is created again
// when it is deleted, and set again when it is changed.
import { asJson, deepEqual, type KubeObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { changeInternally, createInternally, readCached } from './internal-objects.ts';
import { KeyedController } from './keyed-controller.ts';

const NAME = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
/** Users find this sentence in real clusters, and tools compare it. */
const DESCRIBED =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export function rootCaPublisher(
  registry: ResourceRegistry,
  log: Log,
  caCertificate: string,
): KeyedController {
  const maps = registry.get('', 'configmaps')!;
  const data = { 'ca.crt': caCertificate };
  const isRight = (map: KubeObject): boolean =>
    deepEqual(asJson(map)['data'], data) && (map.metadata.annotations?.[DESCRIPTION] ?? '') !== '';
  return new KeyedController({
    name: 'root-ca-certificate-publisher-controller',
    log,
    follows: [
      { resource: registry.get('', 'namespaces')!, keysOf: ({ metadata }) => [metadata.name!] },
      {
        resource: maps,
        keysOf: ({ metadata }) => (metadata.name === NAME ? [metadata.namespace!] : []),
      },
    ],
    async work(namespace) {
      const present = readCached(maps, { namespace, name: NAME });
      if (present === undefined) {
        const metadata = { namespace, name: NAME, annotations: { [DESCRIPTION]: DESCRIBED } };
        await createInternally(registry, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
      } else if (!isRight(present)) {
        await changeInternally(maps, { namespace, name: NAME }, (map) => {
          map['data'] = data;
          map.metadata.annotations = { ...map.metadata.annotations, [DESCRIPTION]: DESCRIBED };
        });
      }
    },
  });
}
