// The columns of a Scale as a Table.
import { isJsonObject, type JsonObject } from '@instar/machinery';
import type { TableColumn } from '../../objects/definition.ts';
import { column, dateAgeColumn, nameColumn } from './columns.ts';

const replicasIn = (part: 'spec' | 'status') => (scale: JsonObject) => {
  const value = scale[part];
  return isJsonObject(value) ? (value['replicas'] ?? 0) : 0;
};

export const SCALE_COLUMNS: readonly TableColumn[] = [
  nameColumn,
  column('Desired', 'How many replicas are asked for.', replicasIn('spec'), { type: 'integer' }),
  column('Available', 'How many replicas there are.', replicasIn('status'), { type: 'integer' }),
  dateAgeColumn,
];

/** Those of kinds with Go types. */
export const TYPED_SCALE_COLUMNS: readonly TableColumn[] = SCALE_COLUMNS.map((one) => ({
  ...one,
  format: '',
  type: one.type === 'date' ? 'string' : one.type,
}));
