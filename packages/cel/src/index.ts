export * from './adapter.ts';
export * from './ast.ts';
export * from './cost/range.ts';
export * from './extension.ts';
export { work } from './meter.ts';
export * from './types.ts';
export * from './values.ts';
