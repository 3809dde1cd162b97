// Printer columns.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { CustomResourceColumnDefinition } from '../types.ts';
import { validateSimpleJsonPath } from './simple-json-path.ts';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateColumns(
  columns: readonly CustomResourceColumnDefinition[] | undefined,
  path: FieldPath,
): FieldError[] {
  return (columns ?? []).flatMap((column, index) => validateColumn(column, path.index(index)));
}

/** Upstream spells JSONPath as v1beta1 did, whatever the request was in. */
function validateColumn(column: CustomResourceColumnDefinition, path: FieldPath): FieldError[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const errors: FieldError[] = [];
  const types = `must be one of ${TYPES.join(',')}`;
  if (name === '') errors.push(fieldErrors.required(path.child('name')));
  if (type === '') errors.push(fieldErrors.required(path.child('type'), types));
  else if (!TYPES.includes(type)) errors.push(fieldErrors.invalid(path.child('type'), type, types));
  if (format !== '' && !FORMATS.includes(format)) {
    errors.push(fieldErrors.invalid(path.child('format'), format, `must be one of ${FORMATS.join(',')}`));
  }
  const place = path.child('JSONPath');
  return [
    ...errors,
    ...(jsonPath === '' ? [fieldErrors.required(place)] : validateSimpleJsonPath(jsonPath, place)),
  ];
}
