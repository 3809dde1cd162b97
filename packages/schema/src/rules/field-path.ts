// The fieldPath of a rule: a JSON path of fields and keys, as in .spec.labels['a.b'], which must exist in the
// schema of the rule's node.
import { FieldPath } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';

/** The path as errors print it; undefined if the schema has no such field. */
export function normalFieldPath(text: string, schema: JSONSchemaProps): string | undefined {
  const tokens = tokensOf(text);
  let path = FieldPath.root;
  let at: JSONSchemaProps | undefined = schema;
  for (let index = 0; index < tokens.length; ) {
    const name = tokens[index] === '.' ? tokens[index + 1] : quotedName(tokens, index);
    if (name === undefined || at === undefined) return undefined;
    index += tokens[index] === '.' ? 2 : 3;
    const isNamed: boolean = Object.keys(at.properties ?? {}).length > 0;
    const next: JSONSchemaProps | boolean | undefined = isNamed
      ? propertyOf(at, name)
      : at.additionalProperties;
    if (next === undefined) return undefined;
    path = isNamed ? path.child(name) : path.key(name);
    at = typeof next === 'object' ? next : undefined;
  }
  return path.toString();
}

function propertyOf({ properties }: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Delimiters, quoted texts with their quotes, and the text between them. */
function tokensOf(text: string): string[] {
  return text.match(/[.[\]]|'(?:\\.|[^\\'])*'|[^.[\]]+/g) ?? [];
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** The name in ['…'], if that is what the tokens are. */
function quotedName(tokens: string[], index: number): string | undefined {
  const quoted = tokens[index + 1];
  if (tokens[index] !== '[' || tokens[index + 2] !== ']' || quoted === undefined) return undefined;
  if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) return undefined;
  let isBroken = false;
  const name = quoted.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => {
    if (ESCAPES[letter] === undefined) isBroken = true;
    return ESCAPES[letter] ?? '';
  });
  return isBroken ? undefined : name;
}
