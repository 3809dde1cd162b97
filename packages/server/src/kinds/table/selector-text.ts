// A label selector as tables show it, as Go prints the selector made from it.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { objectsAt } from './values.ts';

export function selectorText(selector: JsonValue | undefined): string {
  if (!isJsonObject(selector)) return '<none>';
  const { matchLabels } = selector;
  const parts: [string, string][] = [
    ...Object.entries(isJsonObject(matchLabels) ? matchLabels : {}).map(([key, value]): [string, string] => [
      key,
      `${key}=${value}`,
    ]),
    ...objectsAt(selector, 'matchExpressions').map((each): [string, string] => [
      String(each['key']),
      requirementText(each),
    ]),
  ];
  parts.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return parts.map(([, text]) => text).join(',') || '<none>';
}

function requirementText({ key, operator, values }: JsonObject): string {
  const listed = `(${(Array.isArray(values) ? values.map(String) : []).sort().join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${listed}`;
    case 'NotIn':
      return `${key} notin ${listed}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return String(key);
  }
}
