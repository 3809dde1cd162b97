// One version of a definition.

import { isPrintable, utf8Length, validateDns1035Label } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { CustomResourceDefinitionVersion } from '../types.ts';
import { validateColumns } from './columns.ts';
import type { ValidationOptions } from './options.ts';
import { validateSchema } from './schema.ts';
import { validateSelectableFields } from './selectable-fields.ts';
import type { Steps } from './steps.ts';
import { validateSubresources } from './subresources.ts';

export function validateVersionName(name: string, path: FieldPath): FieldError[] {
  const faults = validateDns1035Label(name);
  return faults.length === 0 ? [] : [fieldErrors.invalid(path, name, faults.join(','))];
}

export function* validateVersion(
  version: CustomResourceDefinitionVersion,
  statusEnabled: boolean,
  options: ValidationOptions,
  path: FieldPath,
): Steps<FieldError[]> {
  const { name, schema, subresources, additionalPrinterColumns } = version;
  const props = schema?.openAPIV3Schema;
  const place = { statusEnabled, unchanged: options.unchangedSchemas.has(name), path: path.child('schema') };
  return [
    ...validateDeprecation(version, path.child('deprecationWarning')),
    ...(props === undefined ? [] : yield* validateSchema(props, place, options)),
    ...validateSubresources(subresources, path.child('subresources')),
    ...validateColumns(additionalPrinterColumns, path.child('additionalPrinterColumns')),
    ...validateFields(version, options, path.child('selectableFields')),
  ];
}

/** The message about a missing schema says the opposite of what it means; it is upstream's. */
function validateFields(
  version: CustomResourceDefinitionVersion,
  options: ValidationOptions,
  path: FieldPath,
): FieldError[] {
  const { name, selectableFields = [], schema } = version;
  if (selectableFields.length === 0) return [];
  if (schema?.openAPIV3Schema === undefined) {
    return [
      fieldErrors.invalid(path, '', 'may only be set when `version.schema.openAPIV3Schema` is not included'),
    ];
  }
  return validateSelectableFields(
    selectableFields,
    schema.openAPIV3Schema,
    options.tooManyFieldsAllowed.has(name),
    path,
  );
}

const MAX_WARNING_BYTES = 256;

function validateDeprecation(version: CustomResourceDefinitionVersion, path: FieldPath): FieldError[] {
  const { deprecated = false, deprecationWarning } = version;
  if (deprecationWarning === undefined) return [];
  const faults = deprecated ? warningFaults(deprecationWarning) : ['can only be set for deprecated versions'];
  return faults.map((fault) => fieldErrors.invalid(path, deprecationWarning, fault));
}

function warningFaults(warning: string): string[] {
  const faults: string[] = [];
  if (utf8Length(warning) > MAX_WARNING_BYTES) faults.push(`must be <= ${MAX_WARNING_BYTES} characters long`);
  if (warning === '') faults.push('must not be an empty string');
  let index = 0;
  for (const character of warning) {
    if (!isPrintable(character)) {
      faults.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
      );
      break;
    }
    index += utf8Length(character);
  }
  return faults;
}
