// The formats that are checked, and for which types. Names are compared without hyphens; unknown formats are
// ignored.

import {
  isByte,
  isDate,
  isDateTime,
  isSloppyCidr,
  isUuid,
  parseDurationFormat,
  requestUriError,
} from '@instar/go';
import { isEmail } from './email.ts';
import {
  isBsonObjectId,
  isCreditCard,
  isHexColor,
  isIsbn,
  isIsbn10,
  isIsbn13,
  isLongName,
  isRgbColor,
  isShortName,
  isSsn,
  isUuid3,
  isUuid4,
  isUuid5,
} from './identifiers.ts';
import { isHostname, isIpv4, isIpv6, isMac } from './network.ts';

export type FormatCheck = (text: string) => boolean;

const CHECKS: ReadonlyMap<string, FormatCheck> = new Map([
  ['bsonobjectid', isBsonObjectId],
  ['uri', (text) => requestUriError(text) === undefined],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isSloppyCidr],
  ['mac', isMac],
  ['uuid', isUuid],
  ['uuid3', isUuid3],
  ['uuid4', isUuid4],
  ['uuid5', isUuid5],
  ['isbn', isIsbn],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', isHexColor],
  ['rgbcolor', isRgbColor],
  ['byte', isByte],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseDurationFormat(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', isShortName],
  ['k8slongname', isLongName],
]);

export function formatCheck(format: string): FormatCheck | undefined {
  return CHECKS.get(format.replaceAll('-', ''));
}

/**
 * Whether a format applies to a type; "" is an open type. The validation of CRDs warns about those that do
 * not.
 */
export function isFormatKnown(type: string, format: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return formatCheck(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}
