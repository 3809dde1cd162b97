// meta.k8s.io Table: what `kubectl get` prints. The server computes the cells, so that kubectl need not know
// the kinds.

import { quoteGo } from '@instar/go';
import { apiErrors, type JsonObject, type JsonValue } from '@instar/machinery';
import type { TableColumn } from '../../objects/definition.ts';
import { NAME_AND_CREATED_AT } from './columns.ts';
import {
  type ListMetadata,
  listMetadata,
  partialObjectMetadata,
  type RepresentationVersion,
} from './partial-metadata.ts';

/** How much of the object each row includes. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly version: RepresentationVersion;
  readonly includeObject: IncludeObject;
  /** Milliseconds, as Date.now(): ages are computed from it. */
  readonly now: number;
  /** False for all events of a watch but the first: the client knows the columns by then. */
  readonly withColumns?: boolean;
}

/** Throws upstream's 400 if the query parameter is none of the three. */
export function parseIncludeObject(text: string): IncludeObject {
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const reason = `includeObject: Invalid value: ${quoteGo(text)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw apiErrors.badRequest(`Unable to convert to Table as requested: ${reason}`);
}

/** `objects` are in the version of the columns, with apiVersion and kind. */
export function tableOf(
  objects: readonly JsonObject[],
  columns: readonly TableColumn[],
  metadata: ListMetadata,
  options: TableOptions,
): JsonObject {
  const rows = objects.map((object) => rowOf(object, columns, options));
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: listMetadata(metadata),
    columnDefinitions: options.withColumns === false ? null : columns.map(columnDefinition),
    // Upstream's generic printer has null for no rows; all others have an empty list.
    rows: rows.length === 0 && columns === NAME_AND_CREATED_AT ? null : rows,
  };
}

function columnDefinition({ name, type, format, description, priority }: TableColumn): JsonObject {
  return { name, type, format, description, priority };
}

export function rowOf(
  object: JsonObject,
  columns: readonly TableColumn[],
  { version, includeObject, now }: TableOptions,
): JsonObject {
  return {
    cells: columns.map((column) => column.cell(object, now)),
    object: shownObject(object, includeObject, version),
  };
}

function shownObject(
  object: JsonObject,
  includeObject: IncludeObject,
  version: RepresentationVersion,
): JsonValue {
  switch (includeObject) {
    case 'None':
      return null;
    case 'Metadata':
      return partialObjectMetadata(object, version);
    case 'Object':
      return object;
  }
}
