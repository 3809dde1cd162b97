// The generation of kinds without a status: it counts the changes of the spec.
import { asJson, deepEqual } from '@instar/machinery';
import type { Strategy } from '../../objects/definition.ts';

/** The preparation of such a kind, for its strategy. */
export const countSpecChanges: Required<Pick<Strategy, 'prepareForCreate' | 'prepareForUpdate'>> = {
  prepareForCreate({ metadata }) {
    metadata.generation = 1;
  },
  prepareForUpdate(object, old) {
    if (!deepEqual(asJson(object)['spec'], asJson(old)['spec']))
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
};
