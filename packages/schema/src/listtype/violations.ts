// Validates the list and map types of one schema node; the caller walks the schema.
import { type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';

export interface ListTypeCheckOptions {
  /** Items of a set must be atomic. */
  readonly requireAtomicSetItems: boolean;
  /** Keys must be required or have a default, and neither keys nor items may be nullable. */
  readonly requireCertainKeys: boolean;
}

const STRICT: ListTypeCheckOptions = { requireAtomicSetItems: true, requireCertainKeys: true };

/** What is invalid in `x-kubernetes-list-type` and its keys. */
export function listTypeViolations(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: ListTypeCheckOptions = STRICT,
): FieldError[] {
  const errors = [...checkMapType(schema, path), ...checkListType(schema, path, options)];
  if (schema['x-kubernetes-list-type'] === 'map') errors.push(...checkKeys(schema, path));
  if (options.requireCertainKeys) errors.push(...checkCertainKeys(schema, path));
  return errors;
}

function checkMapType(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const errors = requireType(schema, 'object', 'x-kubernetes-map-type', path);
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(
      fieldErrors.notSupported(path.child('x-kubernetes-map-type'), mapType, ['atomic', 'granular']),
    );
  }
  return errors;
}

function requireType(
  { type = '' }: JSONSchemaProps,
  wanted: string,
  extension: string,
  path: FieldPath,
): FieldError[] {
  if (type === wanted) return [];
  const detail = `must be ${wanted} if ${extension} is specified`;
  const keywordPath = path.child('type');
  return [
    type === '' ? fieldErrors.required(keywordPath, detail) : fieldErrors.invalid(keywordPath, type, detail),
  ];
}

function checkListType(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: ListTypeCheckOptions,
): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keywordPath = path.child('x-kubernetes-list-type');
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    const ofType = requireType(schema, 'array', 'x-kubernetes-list-type', path);
    errors.push(
      ...(ofType.length > 0 || !options.requireAtomicSetItems ? ofType : checkSetItems(schema, path)),
    );
    if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
      errors.push(fieldErrors.notSupported(keywordPath, listType, ['atomic', 'set', 'map']));
    }
  }
  if ((schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      listType === undefined
        ? fieldErrors.required(keywordPath, detail)
        : fieldErrors.invalid(keywordPath, listType, detail),
    );
  }
  return errors;
}

function checkSetItems(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items } = schema;
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined || Array.isArray(items)) return [];
  const listType = items['x-kubernetes-list-type'];
  // Upstream prints the list type even where the map type is wrong.
  const shown = (listType ?? null) as JsonValue;
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const keywordPath = path.child('items');
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [fieldErrors.invalid(keywordPath.child('x-kubernetes-list-type'), shown, detail)];
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [fieldErrors.invalid(keywordPath.child('x-kubernetes-map-type'), shown, detail)];
  }
  return [];
}

function checkKeys(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items } = schema;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(
      fieldErrors.required(
        path.child('x-kubernetes-list-map-keys'),
        'must not be empty if x-kubernetes-list-type is map',
      ),
    );
  }
  const keywordPath = path.child('items');
  if (items === undefined)
    return [
      ...errors,
      fieldErrors.required(keywordPath, 'must have a schema if x-kubernetes-list-type is map'),
    ];
  if (Array.isArray(items)) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    return [...errors, fieldErrors.invalid(keywordPath, items as unknown as JsonValue, detail)];
  }
  if (items.type === 'object') return [...errors, ...checkKeyNames(items, keys, path)];
  const detail = "must be object if parent array's x-kubernetes-list-type is map";
  return [...errors, fieldErrors.invalid(keywordPath.child('type'), items.type ?? '', detail)];
}

function checkKeyNames(items: JSONSchemaProps, keys: string[], path: FieldPath): FieldError[] {
  const keywordPath = path.child('x-kubernetes-list-map-keys');
  return keys.flatMap((key, index) => {
    const errors: FieldError[] = [];
    const property = propertyOf(items, key);
    if (property === undefined)
      errors.push(fieldErrors.invalid(keywordPath, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(
        fieldErrors.invalid(
          path.child('items', 'properties').key(key).child('type'),
          items.type ?? '',
          detail,
        ),
      );
    }
    if (keys.indexOf(key) < index)
      errors.push(fieldErrors.invalid(keywordPath, keys, 'must not contain duplicate entries'));
    return errors;
  });
}

function checkCertainKeys(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items } = schema;
  const listType = schema['x-kubernetes-list-type'];
  if (items === undefined || Array.isArray(items) || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    errors.push(
      fieldErrors.forbidden(
        path.child('items', 'nullable'),
        `cannot be nullable when x-kubernetes-list-type is ${listType}`,
      ),
    );
  }
  for (const key of listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : []) {
    const property = propertyOf(items, key);
    const keywordPath = path.child('items', 'properties').key(key);
    if (property === undefined) continue;
    if (!items.required?.includes(key) && property.default === undefined) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(fieldErrors.required(keywordPath.child('default'), detail));
    }
    if (property.nullable) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(fieldErrors.forbidden(keywordPath.child('nullable'), detail));
    }
  }
  return errors;
}

function propertyOf({ properties }: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
