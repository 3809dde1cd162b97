// A lens file as a conversion.
import { extname } from 'node:path';
import { parseLens } from '@instar/lens';
import { fieldErrorMessage, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { CommandFailure } from '../../exit-with-message.ts';
import { importModule } from '../../import-module.ts';
import type { Definition } from '../load-definition.ts';
import { readObjects } from '../read-yaml.ts';
import type { Target } from './target.ts';

export async function lensTarget(file: string, definition: Definition): Promise<Target> {
  const document = await lensDocument(file, definition.name);
  const parsed = parseLens(document, { versions: definition.versions.map(({ name }) => name) });
  if (parsed.errors !== undefined)
    throw new CommandFailure(`${file}: ${parsed.errors.map(fieldErrorMessage).join('; ')}`, 2);
  const { lens } = parsed;
  return {
    description: `the lens ${file}`,
    isInProcess: true,
    convert: (objects, apiVersion) => ({
      objects: objects.map(
        (object) => lens.convert(object, apiVersion) as KubeObject as unknown as JsonObject,
      ),
    }),
    close: () => undefined,
  };
}

const MODULES = new Set(['.js', '.mjs', '.ts', '.mts']);

async function lensDocument(file: string, crd: string): Promise<JsonValue> {
  if (MODULES.has(extname(file))) return lensOfModule(file);
  const lenses = (await readObjects(file)).filter(({ kind }) => kind === 'Lens');
  const own = lenses.filter(({ spec }) => (spec as JsonObject | undefined)?.['crd'] === crd);
  if (own.length === 1) return own[0]!;
  if (lenses.length === 0) throw new CommandFailure(`${file} holds no Lens`, 2);
  throw new CommandFailure(
    `${file} contains ${own.length === 0 ? 'no' : 'more than one'} Lens for ${crd}`,
    2,
  );
}

async function lensOfModule(file: string): Promise<JsonValue> {
  const module = (await importModule(file)) as { default?: JsonValue; lens?: JsonValue };
  const document = module.default ?? module.lens;
  if (document === undefined)
    throw new CommandFailure(`${file} exports no lens: it must be the default export`, 2);
  return document;
}
