// The two forms of OpenAPI that are published. They differ in how a model is named from elsewhere, and in
// what version 2 cannot say.
import type { JsonObject } from '@instar/machinery';

export interface Dialect {
  readonly version: 'v2' | 'v3';
  /** A reference to a model, with what else is said of it where it is used. */
  reference(model: string, siblings?: JsonObject): JsonObject;
}

/** Clients of version 2 read a reference and its neighbors together, whatever the specification says. */
export const V2: Dialect = {
  version: 'v2',
  reference: (model, siblings = {}) => ({ $ref: `#/definitions/${model}`, ...siblings }),
};

/** Nothing may stand beside a reference in version 3, so that neighbors stand around it. */
export const V3: Dialect = {
  version: 'v3',
  reference(model, siblings = {}) {
    const reference = { $ref: `#/components/schemas/${model}` };
    return Object.keys(siblings).length === 0 ? reference : { allOf: [reference], ...siblings };
  },
};
