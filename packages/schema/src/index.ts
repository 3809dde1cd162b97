export { compileSchema } from './compile.ts';
export { checkDefaults, type DefaultCheckOptions } from './default/check.ts';
export * from './json-schema-props.ts';
export { type ListTypeCheckOptions, listTypeViolations } from './listtype/violations.ts';
export * from './schema.ts';
export type { StructuralNode } from './structural/node.ts';
export { unsupportedKeyword } from './structural/unsupported.ts';
export { structuralViolations } from './structural/violations.ts';
export { isFormatKnown } from './validate/formats/registry.ts';
