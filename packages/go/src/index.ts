export { base64Fault, decodeBase64, encodeBase64 } from './base64.ts';
export {
  type Cidr,
  cidrContainsAddress,
  cidrContainsCidr,
  isSloppyCidr,
  maskedCidr,
  parseCidr,
  printCidr,
} from './cidr.ts';
export { parseGoDuration } from './duration.ts';
export {
  type IpAddress,
  ipFamilyOf,
  isGlobalUnicast,
  isIpv4Mapped,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
  printIp,
} from './ip.ts';
export { parseMediaType } from './media-type.ts';
export {
  validateConfigMapKey,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validatePortNumber,
  validateQualifiedName,
} from './names.ts';
export { parseFloat64, printFloat, printGoNumber } from './number.ts';
export {
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  type ValidateName,
} from './object-names.ts';
export { goTypeOf, printGo, printGoSyntax } from './print.ts';
export { canonicalQuantity, printQuantity } from './print-quantity.ts';
export {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityAsFloat,
  quantityAsInteger,
  quantityOfInteger,
  quantitySign,
  subtractQuantities,
} from './quantity.ts';
export { isPrintable, quoteGo } from './quote.ts';
export { ANY, has, LAST, NOT_NEWLINE } from './re2/char-set.ts';
export { parsePattern } from './re2/parse-pattern.ts';
export { type CharSet, NotUnderstood, type Pattern } from './re2/syntax.ts';
export { isByte, isDate, isDateTime, isUuid, parseDurationFormat } from './string-formats.ts';
export { isPrintedTime, parseMicroTime, parseRfc3339, parseTime, printMicroTime, printTime } from './time.ts';
export {
  escapeUrlPath,
  type GoUrl,
  parseGoRequestUri,
  parseGoUrl,
  requestUriError,
  urlHostname,
  urlPort,
  urlQuery,
} from './url.ts';
export {
  compareUtf8,
  decodeUtf8,
  decodeValidUtf8,
  encodeUtf8,
  utf8Length,
  utf8Rank,
} from './utf8.ts';
