// Texts for Warning headers about accepted definitions that will not do what they seem to say: formats
// without effect.
import { quoteGo } from '@instar/go';
import { isFormatKnown, type JSONSchemaProps } from '@instar/schema';
import { hoist } from './hoisted.ts';
import { someSchema } from './schema-walk.ts';
import type { CustomResourceDefinition } from './types.ts';

/** `old` is absent for a create. What the old definition already had is not repeated. */
export function crdWarnings(crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const known = new Set(old === undefined ? [] : unknownFormats(old));
  return unknownFormats(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${quoteGo(format)}`);
}

/** One for each field, but a schema that versions share counts once. */
function unknownFormats({ spec }: CustomResourceDefinition): string[] {
  const formats: string[] = [];
  const hoisted = hoist(spec);
  for (const { schema } of [hoisted, ...hoisted.versions]) {
    if (schema?.openAPIV3Schema === undefined) continue;
    someSchema(schema.openAPIV3Schema, (one) => {
      if (hasUnknownFormat(one)) formats.push(one.format!);
      return false;
    });
  }
  return formats;
}

function hasUnknownFormat({ type = '', format = '' }: JSONSchemaProps): boolean {
  return format !== '' && !isFormatKnown(type, format);
}
