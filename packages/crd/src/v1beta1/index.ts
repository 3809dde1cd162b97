export * from './defaults.ts';
export * from './from-v1beta1.ts';
export * from './to-v1beta1.ts';
export * from './types.ts';
export * from './validate.ts';
