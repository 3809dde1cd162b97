// Every field that is constrained below anyOf, allOf, oneOf or not must also exist outside of them.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';

/** `path` is that of the schema. Checks the junctors of the root only, as upstream does. */
export function incompletenesses(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkJunctors(schema, schema, path, path, errors);
  return errors;
}

function checkJunctors(
  nested: JSONSchemaProps,
  structure: JSONSchemaProps,
  structurePath: FieldPath,
  nestedPath: FieldPath,
  errors: FieldError[],
): void {
  if (nested.not !== undefined)
    checkBranch(nested.not, structure, structurePath, nestedPath.child('not'), errors);
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    nested[junctor]?.forEach((branch, index) => {
      checkBranch(branch, structure, structurePath, nestedPath.child(junctor).index(index), errors);
    });
  }
}

function checkBranch(
  branch: JSONSchemaProps,
  structure: JSONSchemaProps | undefined,
  structurePath: FieldPath,
  branchPath: FieldPath,
  errors: FieldError[],
): void {
  if (structure === undefined) {
    errors.push(fieldErrors.required(structurePath, `because it is defined in ${branchPath}`));
    return;
  }
  checkJunctors(branch, structure, structurePath, branchPath, errors);
  const { items, properties = {} } = branch;
  if (items !== undefined && !Array.isArray(items)) {
    const outer = Array.isArray(structure.items) ? undefined : structure.items;
    checkBranch(items, outer, structurePath.child('items'), branchPath.child('items'), errors);
  }
  for (const name in properties) {
    const known = structure.properties !== undefined && Object.hasOwn(structure.properties, name);
    const outer = known ? structure.properties![name] : undefined;
    const step = (path: FieldPath): FieldPath => path.child('properties').key(name);
    checkBranch(properties[name]!, outer, step(structurePath), step(branchPath), errors);
  }
}
