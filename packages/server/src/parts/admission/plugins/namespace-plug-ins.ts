// NamespaceExists refuses what is written to a namespace that does not exist; NamespaceAutoProvision makes
// the namespace.
import { asKubeObject } from '@instar/machinery';
import type { Resource } from '../../../objects/resource.ts';
import { createObject } from '../../../objects/write/create.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { internalWrite } from '../../controllers/internal-writes.ts';
import { findNamespace } from '../namespace-lifecycle.ts';
import type { PluginDefinition } from './plugin.ts';

const isWithin = ({ write }: AdmissionOperation): boolean => write.resource.definition.namespaced;

export const namespaceExists: PluginDefinition = {
  name: 'NamespaceExists',
  make: ({ registry }) => {
    const namespaces = registry.get('', 'namespaces')!;
    return {
      async validate(operation) {
        if (!isWithin(operation)) return;
        const { namespace } = operation.write;
        if ((await findNamespace(namespaces, namespace)) === undefined) throw namespaces.notFound(namespace);
      },
    };
  },
};

export const namespaceAutoProvision: PluginDefinition = {
  name: 'NamespaceAutoProvision',
  make: ({ registry }) => {
    const namespaces = registry.get('', 'namespaces')!;
    return {
      async mutate(operation) {
        const { namespace, dryRun } = operation.write;
        if (operation.operation !== 'CREATE' || dryRun || !isWithin(operation)) return;
        if ((await findNamespace(namespaces, namespace)) === undefined) await provide(namespaces, namespace);
      },
    };
  },
};

/** Another request may have made it in the meantime. */
async function provide(namespaces: Resource, name: string): Promise<void> {
  const write = internalWrite({ resource: namespaces, name: '' });
  const decoded = write.version.decode!({ metadata: { name } });
  if ('error' in decoded) throw new Error(decoded.error);
  const object = asKubeObject({ ...decoded.object, apiVersion: 'v1', kind: 'Namespace' });
  await createObject(write, object, {}).catch((error: { readonly code?: number }) => {
    if (error.code !== 409) throw error;
  });
}
