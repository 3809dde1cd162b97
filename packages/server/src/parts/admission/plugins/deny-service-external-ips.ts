// DenyServiceExternalIPs: services get no external addresses that they do not have already.
import { denied, isWholeWrite, type PluginDefinition } from './plugin.ts';

const addressesOf = (object: unknown): readonly string[] =>
  (object as { spec?: { externalIPs?: string[] } } | undefined)?.spec?.externalIPs ?? [];

export const denyServiceExternalIps: PluginDefinition = {
  name: 'DenyServiceExternalIPs',
  make: () => ({
    resources: ['/services'],
    validate(operation) {
      if (!isWholeWrite(operation)) return;
      const known = new Set(addressesOf(operation.old));
      if (addressesOf(operation.object).some((address) => !known.has(address)))
        throw denied(operation, 'Use of external IPs is denied by admission control');
    },
  }),
};
