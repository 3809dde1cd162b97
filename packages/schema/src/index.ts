export { compileSchema } from './compile.ts';
export * from './json-schema-props.ts';
export * from './schema.ts';
export type { StructuralNode } from './structural/node.ts';
