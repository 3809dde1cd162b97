// The properties that every published object has besides those of its own schema. The texts are those that
// clients of Kubernetes know.
import type { JsonObject } from '@instar/machinery';
import type { Dialect } from '../dialect.ts';
import { metaModelName } from '../model-names.ts';

const CONVENTIONS =
  'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const API_VERSION: JsonObject = {
  description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. ${CONVENTIONS}#resources`,
  type: 'string',
};

const KIND: JsonObject = {
  description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. ${CONVENTIONS}#types-kinds`,
  type: 'string',
};

const EMBEDDED_API_VERSION: JsonObject = {
  description: `apiVersion defines the versioned schema of this representation of an object. ${CONVENTIONS}#resources`,
  type: 'string',
};

const EMBEDDED_KIND: JsonObject = {
  description: `kind is a string value representing the type of this object. In CamelCase. ${CONVENTIONS}#types-kinds`,
  type: 'string',
};

const objectMeta = (dialect: Dialect): JsonObject =>
  dialect.reference(metaModelName('ObjectMeta'), {
    description: `Standard object's metadata. ${CONVENTIONS}#metadata`,
  });

/** apiVersion, kind and metadata of a top-level object. */
export const objectProperties = (dialect: Dialect): JsonObject => ({
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: objectMeta(dialect),
});

/** The same for an object embedded in another. */
export const embeddedProperties = (dialect: Dialect): JsonObject => ({
  apiVersion: EMBEDDED_API_VERSION,
  kind: EMBEDDED_KIND,
  metadata: objectMeta(dialect),
});

interface ListNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
}

export function listSchema(
  dialect: Dialect,
  { kind, listKind, plural }: ListNames,
  itemModel: string,
): JsonObject {
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: API_VERSION,
      items: {
        description: `List of ${plural}. ${CONVENTIONS}`,
        type: 'array',
        items: dialect.reference(itemModel),
      },
      kind: KIND,
      metadata: dialect.reference(metaModelName('ListMeta'), {
        description: `Standard list metadata. ${CONVENTIONS}#types-kinds`,
      }),
    },
  };
}
