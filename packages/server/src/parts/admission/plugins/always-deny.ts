// AlwaysAdmit and AlwaysDeny: for tests of clients. Neither looks at anything.
import { denied, type PluginDefinition } from './plugin.ts';

export const alwaysAdmit: PluginDefinition = { name: 'AlwaysAdmit', make: () => ({}) };

export const alwaysDeny: PluginDefinition = {
  name: 'AlwaysDeny',
  make: () => ({
    mutate(operation) {
      throw denied(operation, 'admission control is denying all modifications');
    },
  }),
};
