// Texts for Warning headers about definitions that are accepted and will not do what they seem to say.
import { quoteGo } from '@instar/machinery';
import { isFormatKnown, type JSONSchemaProps } from '@instar/schema';
import { hoist } from './hoisted.ts';
import { someSchema } from './schema-walk.ts';
import type { CustomResourceDefinition } from './types.ts';

/** Without `old` for a create. What the old definition gives cause for already is not told again. */
export function crdWarnings(crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const before = old === undefined ? NOTHING : warningsOf(old);
  const now = warningsOf(crd);
  const knownFormats = new Set(before.formats);
  const knownSets = new Set(before.sets);
  return [...now.formats.filter((text) => !knownFormats.has(text)), ...now.sets.filter((text) => !knownSets.has(text))];
}

interface Warnings {
  /** One for each place. */
  readonly formats: readonly string[];
  /** Each once. */
  readonly sets: readonly string[];
}

const NOTHING: Warnings = { formats: [], sets: [] };

function warningsOf({ spec }: CustomResourceDefinition): Warnings {
  const formats: string[] = [];
  const sets = new Set<string>();
  const hoisted = hoist(spec);
  for (const { schema } of [hoisted, ...hoisted.versions]) {
    const props = schema?.openAPIV3Schema;
    if (props === undefined) continue;
    someSchema(props, (one) => {
      if (hasUnknownFormat(one)) formats.push(`unrecognized format ${quoteGo(one.format!)}`);
      const itemType = setItemType(one);
      if (itemType !== undefined) sets.add(setWarning(itemType));
      return false;
    });
  }
  return { formats, sets: [...sets].sort() };
}

function hasUnknownFormat({ type = '', format = '' }: JSONSchemaProps): boolean {
  return format !== '' && !isFormatKnown(type, format);
}

function setItemType({ items, 'x-kubernetes-list-type': listType }: JSONSchemaProps): string | undefined {
  if (listType !== 'set' || items === undefined || Array.isArray(items)) return undefined;
  return items.type === 'object' || items.type === 'array' ? items.type : undefined;
}

const setWarning = (type: string): string =>
  `x-kubernetes-list-type: set for items of type ${quoteGo(type)} is not supported by server-side apply or CEL validation rules`;
