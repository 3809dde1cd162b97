// Whether an applied configuration matches its type: forms, duplicate items and undeclared fields; not what a
// schema says about values. The texts are upstream's, because users see them when an apply is refused.

import { goTypeOf, printGo, printGoSyntax } from '@instar/go';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { elementText, pathText } from '../fieldset/element.ts';
import { itemElement, itemFault } from './list-item.ts';
import { formOf, type ListType, type MapType, type MergeType, type ScalarKind } from './merge-type.ts';

export interface TypeFault {
  readonly path: string;
  readonly message: string;
}

export function validateApplied(
  object: JsonObject,
  type: MergeType,
  { allowDuplicates = false } = {},
): TypeFault[] {
  const faults = new Faults(allowDuplicates);
  validate(object, type, faults);
  return faults.found;
}

/** The current position, and the errors found. Paths become text only if something is wrong. */
class Faults {
  readonly found: TypeFault[] = [];
  readonly path: string[] = [];
  readonly allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.allowDuplicates = allowDuplicates;
  }

  add(message: string): void {
    this.found.push({ path: pathText(this.path), message });
  }
}

/** As upstream joins them. */
export function faultsText(faults: readonly TypeFault[]): string {
  const texts = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? texts[0]! : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

function validate(value: JsonValue, type: MergeType, faults: Faults): void {
  if (value === null) return;
  switch (formOf(type, value)) {
    case 'scalar': {
      const message = scalarFault(value, type.scalar!);
      if (message !== undefined) faults.add(message);
      break;
    }
    case 'list':
      if (!Array.isArray(value)) faults.add(`expected list, got &{${printGo(value)}}`);
      else if (type.list!.relation === 'atomic') validateAtomicItems(value, type.list!, faults);
      else validateItems(value, type.list!, faults);
      break;
    case 'map':
    case 'any':
      if (isJsonObject(value)) validateKeys(value, type.map!, faults);
      else faults.add(`expected map, got &{${printGo(value)}}`);
      break;
  }
}

function scalarFault(value: JsonValue, kind: ScalarKind): string | undefined {
  switch (kind) {
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goTypeOf(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${printGoSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${printGo(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${printGo(value)}}` : undefined;
  }
}

/** The first undeclared field ends the check of its object. */
function validateKeys(value: JsonObject, map: MapType, faults: Faults): void {
  for (const key of Object.keys(value)) {
    const type = map.fields.get(key) ?? map.element;
    faults.path.push(`f:${key}`);
    if (type === undefined) faults.add('field not declared in schema');
    else validate(value[key]!, type, faults);
    faults.path.pop();
    if (type === undefined) return;
  }
}

function validateItems(items: JsonValue[], list: ListType, faults: Faults): void {
  const seen = new Set<string>();
  for (let i = 0; i < items.length; i++) {
    const element = itemElement(list, items[i]!);
    if (element === undefined) {
      faults.add(`element ${i}: ${itemFault(list, items[i]!)}`);
      return;
    }
    if (seen.has(element) && !faults.allowDuplicates)
      faults.add(`duplicate entries for key ${elementText(element)}`);
    seen.add(element);
    faults.path.push(element);
    validate(items[i]!, list.element, faults);
    faults.path.pop();
  }
}

/** Items that only their position identifies cannot be duplicates. */
function validateAtomicItems(items: JsonValue[], list: ListType, faults: Faults): void {
  for (let i = 0; i < items.length; i++) {
    faults.path.push(`i:${i}`);
    validate(items[i]!, list.element, faults);
    faults.path.pop();
  }
}
