// Kubernetes defines apiVersion, kind and metadata: a schema may only constrain the name and generateName.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { setKeys } from './set-keys.ts';

export function metadataViolations(schema: JSONSchemaProps, isRoot: boolean, path: FieldPath): FieldError[] {
  const { properties = {} } = schema;
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const errors: FieldError[] = [];
  for (const name of ['kind', 'apiVersion']) {
    const type = ownType(properties, name);
    if (isResource && type !== undefined && type !== 'string') {
      errors.push(
        fieldErrors.invalid(path.child('properties').key(name).child('type'), type, 'must be string'),
      );
    }
  }
  const type = ownType(properties, 'metadata');
  if (type === undefined) return errors;
  const metadataPath = path.child('properties').key('metadata');
  if (isResource && type !== 'object')
    errors.push(fieldErrors.invalid(metadataPath.child('type'), type, 'must be object'));
  if (isRoot && !isAboutNamesOnly(properties['metadata']!)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(fieldErrors.forbidden(metadataPath, detail));
  }
  return errors;
}

function ownType(properties: Record<string, JSONSchemaProps>, name: string): string | undefined {
  return Object.hasOwn(properties, name) ? (properties[name]!.type ?? '') : undefined;
}

function isAboutNamesOnly(metadata: JSONSchemaProps): boolean {
  const others = setKeys(metadata).filter(
    (key) => key !== 'type' && key !== 'default' && key !== 'properties',
  );
  const names = Object.keys(metadata.properties ?? {});
  return others.length === 0 && names.every((name) => name === 'name' || name === 'generateName');
}
