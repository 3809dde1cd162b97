export { parseFloat64, printFloat, printGoNumber } from './number.ts';
export { type GoValue, goTypeOf, printGo, printGoSyntax } from './print.ts';
export { isPrintable, quoteGo } from './quote.ts';
export {
  compareUtf8,
  decodeUtf8,
  decodeValidUtf8,
  encodeUtf8,
  utf8Length,
  utf8Rank,
} from './utf8.ts';
