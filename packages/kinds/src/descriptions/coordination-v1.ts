// What the types of coordination/v1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  Lease: {
    '': 'A claim on something that only one may have at a time, such as leadership.',
    metadata: 'Name, labels and what else all objects have.',
    spec: 'Who holds the lease and since when.',
  },
  LeaseSpec: {
    '': 'Who holds the lease and since when.',
    holderIdentity: 'Who holds the lease now.',
    leaseDurationSeconds: 'How long after renewTime others must wait before they take the lease.',
    acquireTime: 'When the present holder took the lease.',
    renewTime: 'When the present holder last renewed the lease.',
    leaseTransitions: 'How often the lease went from one holder to another.',
    strategy: 'How a leader is chosen among candidates, where the election is coordinated.',
    preferredHolder:
      'Tells the present holder that it should give the lease to this one. Only together with strategy.',
  },
};
