// Fields that were removed at one path and added, with the same name and schema, at another: they seem to
// have moved. This is a guess, and reported as one.
import type { JSONSchemaProps } from '@instar/schema';
import { isSchema } from '../walk/walk-schemas.ts';
import { shapeOf } from './likeness.ts';

/** From the path of each removed field to the path that it seems to have moved to. */
export function movesOf(
  old: JSONSchemaProps,
  next: JSONSchemaProps,
  removed: readonly string[],
  added: readonly string[],
): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  if (removed.length === 0) return moves;
  const candidates = new Map<string, string[]>();
  for (const path of added)
    for (const inner of [path, ...fieldsBelow(next, path)])
      candidates.set(lastSegment(inner), [...(candidates.get(lastSegment(inner)) ?? []), inner]);
  for (const path of removed) {
    const schema = schemaAt(old, path);
    const same = (candidates.get(lastSegment(path)) ?? []).filter(
      (other) => schema !== undefined && isLike(schema, schemaAt(next, other)),
    );
    // If several match, it is ambiguous.
    if (same.length === 1) moves.set(path, same[0]!);
  }
  return moves;
}

const lastSegment = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1);

function isLike(schema: JSONSchemaProps, other: JSONSchemaProps | undefined): boolean {
  return other !== undefined && shapeOf(schema) === shapeOf(other);
}

function schemaAt(root: JSONSchemaProps, path: string): JSONSchemaProps | undefined {
  const steps = path.match(/\[\*\]|[^.[\]]+/g) ?? [];
  return steps.reduce<JSONSchemaProps | undefined>(
    (at, step) => (at === undefined ? undefined : below(at, step)),
    root,
  );
}

function below(schema: JSONSchemaProps, step: string): JSONSchemaProps | undefined {
  if (step === '[*]') return isSchema(schema.items) ? schema.items : undefined;
  if (step === '*') return isSchema(schema.additionalProperties) ? schema.additionalProperties : undefined;
  return Object.hasOwn(schema.properties ?? {}, step) ? schema.properties![step] : undefined;
}

/** The fields of an added object, one level deep: most moves are into a new group. */
function fieldsBelow(root: JSONSchemaProps, path: string): string[] {
  return Object.keys(schemaAt(root, path)?.properties ?? {}).map((name) => `${path}.${name}`);
}
