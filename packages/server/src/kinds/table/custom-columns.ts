// The columns of a custom resource: additionalPrinterColumns with their JSONPaths, or name and age if there
// are none.

import { parseTime } from '@instar/go';
import { compileJsonPath, type JsonPath, JsonPathError, type JsonValue, printCell } from '@instar/machinery';
import type { TableColumn } from '../../objects/definition.ts';
import { column, dateAgeColumn, nameColumn } from './columns.ts';
import { humanDuration } from './human-duration.ts';

/** As in a CustomResourceDefinition. */
interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/**
 * A column with an invalid path ends the list, as upstream; the validation of definitions refuses them.
 */
export function customColumns(columns: readonly PrinterColumn[] = []): TableColumn[] {
  if (columns.length === 0) return [nameColumn, dateAgeColumn];
  const readable: TableColumn[] = [nameColumn];
  for (const printer of columns) {
    const path = pathOf(printer.jsonPath);
    if (path === undefined) break;
    readable.push(customColumn(printer, path));
  }
  return readable;
}

function pathOf(text: string): JsonPath | undefined {
  try {
    return compileJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function customColumn(
  { name, type, format = '', description = '', priority = 0, jsonPath }: PrinterColumn,
  path: JsonPath,
): TableColumn {
  const shown =
    description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
  const cell: TableColumn['cell'] = (object, now) => {
    const [value] = path.find(object);
    return value === undefined ? null : cellOf(value, type, now);
  };
  return column(name, shown, cell, { type, format, priority });
}

/** A value that is not of the column's type is not shown. */
function cellOf(value: JsonValue, type: string, now: number): JsonValue {
  switch (type) {
    case 'string':
      return printCell(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, now) : null;
    default:
      return null;
  }
}

function dateCell(text: string, now: number): string {
  if (text === '') return '<unknown>';
  const time = parseTime(text);
  return 'fault' in time ? '<invalid>' : humanDuration(now - time.milliseconds);
}
