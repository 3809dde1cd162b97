// The two versions of OpenAPI that are published. They differ in how models are referenced, and in what
// version 2 cannot express.
import type { JsonObject } from '@instar/machinery';

export interface Dialect {
  readonly version: 'v2' | 'v3';
  /** A reference to a model, with the siblings that describe this use of it. */
  reference(model: string, siblings?: JsonObject): JsonObject;
}

/** Clients of version 2 read a reference together with its siblings, whatever the specification says. */
export const V2: Dialect = {
  version: 'v2',
  reference: (model, siblings = {}) => ({ $ref: `#/definitions/${model}`, ...siblings }),
};

/** In version 3 a reference must not have siblings, so that it is wrapped in allOf. */
export const V3: Dialect = {
  version: 'v3',
  reference(model, siblings = {}) {
    const reference = { $ref: `#/components/schemas/${model}` };
    return Object.keys(siblings).length === 0 ? reference : { allOf: [reference], ...siblings };
  },
};
