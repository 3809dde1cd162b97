export * from './api-error.ts';
export * from './field/error.ts';
export { quoteGo } from './field/quote.ts';
export * from './json/encode.ts';
export * from './json-value.ts';
export * from './object.ts';
export * from './status.ts';
