// The columns that workloads have in common.
import { isJsonObject, type JsonObject, type JsonValue, type LabelSelectorObject } from '@instar/machinery';
import type { TableColumn } from '../../../objects/definition.ts';
import { column, wideColumn } from '../../table/columns.ts';
import { selectorOrUndefined } from '../../validate/workloads/selector.ts';

/** A member of a member …; empty if one of them is missing. */
export function memberAt(object: JsonObject, ...names: string[]): JsonObject {
  let at: JsonValue | undefined = object;
  for (const name of names) at = isJsonObject(at) ? at[name] : undefined;
  return isJsonObject(at) ? at : {};
}

export const numberAt = (object: JsonObject, part: 'spec' | 'status', name: string): number =>
  Number(memberAt(object, part)[name] ?? 0);

export const countColumn = (
  name: string,
  description: string,
  part: 'spec' | 'status',
  field: string,
): TableColumn => column(name, description, (object) => numberAt(object, part, field), { type: 'integer' });

/** Of the containers of a template, which is at a path. */
function containersAt(object: JsonObject, path: readonly string[], field: string): string {
  const { containers } = memberAt(object, ...path, 'spec');
  return (Array.isArray(containers) ? containers : [])
    .map((container) => (isJsonObject(container) ? String(container[field] ?? '') : ''))
    .join(',');
}

export type MakeColumn = typeof column;

export const containerColumns = (path: readonly string[], make: MakeColumn = wideColumn): TableColumn[] => [
  make('Containers', 'The names of the containers.', (object) => containersAt(object, path, 'name')),
  make('Images', 'The images of the containers.', (object) => containersAt(object, path, 'image')),
];

export const labelsText = (labels: JsonObject): string =>
  Object.keys(labels)
    .sort()
    .map((key) => `${key}=${labels[key]}`)
    .join(',') || '<none>';

export const selectorColumn = (path: readonly string[]): TableColumn =>
  wideColumn('Selector', 'Which pods belong to it.', (object) => {
    const { selector } = memberAt(object, ...path);
    const parsed = selectorOrUndefined(selector as LabelSelectorObject | undefined);
    return parsed === undefined ? '<error>' : String(parsed) || '<none>';
  });
