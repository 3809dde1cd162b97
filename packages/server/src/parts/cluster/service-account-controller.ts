// Every namespace has a service account `default`.
import type { Log } from '@instar/serving';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { createInternally, readCached } from './internal-objects.ts';
import { KeyedController } from './keyed-controller.ts';

const NAME = 'default';

export function serviceAccountController(registry: ResourceRegistry, log: Log): KeyedController {
  const accounts = registry.get('', 'serviceaccounts')!;
  return new KeyedController({
    name: 'serviceaccount-controller',
    log,
    follows: [
      { resource: registry.get('', 'namespaces')!, keysOf: ({ metadata }) => [metadata.name!] },
      {
        resource: accounts,
        keysOf: ({ metadata }) => (metadata.name === NAME ? [metadata.namespace!] : []),
      },
    ],
    async work(namespace) {
      if (readCached(accounts, { namespace, name: NAME }) !== undefined) return;
      await createInternally(registry, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace, name: NAME },
      });
    },
  });
}
