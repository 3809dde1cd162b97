// The columns that many kinds share, and functions to define others.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { TableColumn } from '../../objects/definition.ts';
import { ageOf } from './human-duration.ts';

type Cell = TableColumn['cell'];
type ColumnOptions = Partial<Pick<TableColumn, 'type' | 'format' | 'priority'>>;

export function column(
  name: string,
  description: string,
  cell: Cell,
  options: ColumnOptions = {},
): TableColumn {
  return { name, type: 'string', format: '', description, priority: 0, ...options, cell };
}

/** Shown with -o wide only. */
export const wideColumn = (
  name: string,
  description: string,
  cell: Cell,
  options: ColumnOptions = {},
): TableColumn => column(name, description, cell, { ...options, priority: 1 });

export const metadataOf = (object: JsonObject): JsonObject =>
  isJsonObject(object['metadata']) ? object['metadata'] : {};
const nameCell: Cell = (object) => metadataOf(object)['name'] ?? '';
const createdAt = (object: JsonObject): JsonValue => metadataOf(object)['creationTimestamp'] ?? null;

export const nameColumn = column(
  'Name',
  'The name of the object, unique among those of its kind in the namespace.',
  nameCell,
  {
    format: 'name',
  },
);
export const ageColumn = column('Age', 'How long ago the object was created.', (object, now) =>
  ageOf(createdAt(object), now),
);
/**
 * The column of custom resources without their own columns: the same cell, with the type date.
 */
export const dateAgeColumn: TableColumn = { ...ageColumn, type: 'date' };

/** The columns of kinds without a printer upstream. */
export const NAME_AND_CREATED_AT: readonly TableColumn[] = [
  nameColumn,
  column('Created At', 'When the object was created.', createdAt, { type: 'date' }),
];
