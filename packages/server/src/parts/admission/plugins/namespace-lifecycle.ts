// NamespaceLifecycle: objects are created only in namespaces that exist and are not being deleted.
import { checkNamespace } from '../namespace-lifecycle.ts';
import type { PluginDefinition } from './plugin.ts';

export const namespaceLifecycle: PluginDefinition = {
  name: 'NamespaceLifecycle',
  make: ({ registry }) => {
    const namespaces = registry.get('', 'namespaces')!;
    return { mutate: (operation) => checkNamespace(operation, namespaces) };
  },
};
