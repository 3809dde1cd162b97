// The schemas of anyOf and oneOf as texts that can be compared, without documentation.
import type { JSONSchemaProps } from '@instar/schema';
import { typeOf } from '../walk/type-of.ts';
import { shapeOf } from './likeness.ts';

interface BranchChanges {
  readonly before: number;
  readonly after: number;
  readonly removed: number;
  readonly added: number;
}

export function branchChanges(
  old: JSONSchemaProps,
  next: JSONSchemaProps,
  keyword: 'anyOf' | 'oneOf',
): BranchChanges {
  const [was, is] = [branchesOf(old, keyword), branchesOf(next, keyword)];
  return {
    before: was.length,
    after: is.length,
    removed: was.filter((branch) => !is.includes(branch)).length,
    added: is.filter((branch) => !was.includes(branch)).length,
  };
}

/** The choice between integer and string that accompanies int-or-string has no effect. */
function branchesOf(schema: JSONSchemaProps, keyword: 'anyOf' | 'oneOf'): string[] {
  const branches = schema[keyword] ?? [];
  const hasNoEffect =
    typeOf(schema) === 'int-or-string' &&
    branches.every(({ type }) => type === 'integer' || type === 'string');
  return hasNoEffect ? [] : branches.map(shapeOf);
}
