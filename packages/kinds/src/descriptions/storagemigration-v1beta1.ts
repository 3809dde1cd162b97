// What the types of storagemigration/v1beta1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  StorageVersionMigration: {
    '': 'A migration of all objects of a resource to the storage version.',
    metadata: 'Name, labels and what else all objects have.',
    spec: 'What is to be migrated.',
    status: 'How far the migration is.',
  },
  StorageVersionMigrationSpec: {
    '': 'What is to be migrated.',
    resource: 'The resource whose objects are to be written again. It cannot be changed.',
  },
  StorageVersionMigrationStatus: {
    '': 'How far the migration is.',
    conditions: 'Running, then Succeeded or Failed.',
    resourceVersion: 'Objects that were written after this revision need no migration.',
  },
};
