// The library of named formats: format.dns1123Label() and others, format.named(), and validate().

import {
  isByte,
  isDate,
  isDateTime,
  isUuid,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  requestUriError,
  type ValidateName,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from '@instar/go';
import { functionOf, type Library, memberOverload, overload } from '../../extension.ts';
import { listType, opaqueType, optionalType, stringType } from '../../values/types.ts';
import { listOf, none, Opaque, some, type Value } from '../../values.ts';
import { timePattern, uuidPattern } from '../string-formats.ts';

export const formatType = opaqueType('kubernetes.NamedFormat');

export class FormatValue extends Opaque {
  readonly type = formatType;
  readonly errors: (text: string) => readonly string[];
  /** The length of an equivalent regular expression, which determines the cost. */
  readonly regexSize: number;

  constructor(errors: (text: string) => readonly string[], regexSize: number) {
    super();
    this.errors = errors;
    this.regexSize = regexSize;
  }

  equals(other: Value): boolean {
    return this === other;
  }
}

const check = (holds: (text: string) => boolean, error: string) => (text: string) =>
  holds(text) ? [] : [error];
const prefix = (validate: ValidateName) => (text: string) => validate(text, true);

function uriErrors(text: string): string[] {
  const error = requestUriError(text);
  return error === undefined ? [] : [error];
}

const formats: readonly (readonly [name: string, format: FormatValue])[] = [
  ['dns1123Label', new FormatValue(validateDns1123Label, 30)],
  ['dns1123Subdomain', new FormatValue(validateDns1123Subdomain, 60)],
  ['dns1035Label', new FormatValue(validateDns1035Label, 30)],
  ['qualifiedName', new FormatValue(validateQualifiedName, 60)],
  ['dns1123LabelPrefix', new FormatValue(prefix(nameIsDnsLabel), 30)],
  ['dns1123SubdomainPrefix', new FormatValue(prefix(nameIsDnsSubdomain), 60)],
  ['dns1035LabelPrefix', new FormatValue(prefix(nameIsDns1035Label), 30)],
  ['labelValue', new FormatValue(validateLabelValue, 40)],
  ['uri', new FormatValue(uriErrors, 1103)],
  ['uuid', new FormatValue(check(isUuid, 'does not match the UUID format'), uuidPattern.length)],
  ['byte', new FormatValue(check(isByte, 'invalid base64'), 84)],
  ['date', new FormatValue(check(isDate, 'invalid date'), timePattern.length)],
  ['datetime', new FormatValue(check(isDateTime, 'invalid datetime'), timePattern.length)],
];
const byName = new Map(formats);

function named(name: Value): Value {
  const format = byName.get(name as string);
  return format === undefined ? none : some(format);
}

function validate(format: Value, text: Value): Value {
  const errors = (format as FormatValue).errors(text as string);
  return errors.length === 0 ? none : some(listOf(errors));
}

export const formatLibrary: Library = {
  name: 'kubernetes.format',
  functions: [
    ...formats.map(([name, format]) =>
      functionOf(
        `format.${name}`,
        overload(`format.${name}`, [], formatType, () => format),
      ),
    ),
    functionOf('format.named', overload('format-named', [stringType], optionalType(formatType), named)),
    functionOf(
      'validate',
      memberOverload(
        'format-validate',
        [formatType, stringType],
        optionalType(listType(stringType)),
        validate,
      ),
    ),
  ],
};
