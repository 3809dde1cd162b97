export { decodeFieldSet } from './decode.ts';
export { elementText, fieldElement, keyElement, pathText, valueElement } from './element.ts';
export { EMPTY_SET, type FieldSet, hasPath, isEmptySet, sameSet } from './field-set.ts';
export { difference, intersection, leaves, recursiveDifference, union } from './operations.ts';
export { pathsOf, setOfFields, setOfPaths } from './paths.ts';
