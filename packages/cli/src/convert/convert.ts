// Runs `instar convert`: objects in, the same objects in another version out. A failure does not affect the
// other objects.
import { text } from 'node:stream/consumers';
import { LensError, type LensSet } from '@instar/lens';
import {
  encodeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  parseYamlDocuments,
  printYaml,
} from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import { readLens } from '../lens/read-lens.ts';
import { readText } from '../test/read-yaml.ts';

export interface ConvertFlags {
  readonly filename: string;
  readonly to: string;
  readonly lens: string;
  readonly output: 'yaml' | 'json';
}

/** Enough to find it by. */
const MAX_SHOWN = 40;

/** The exit code. */
export async function convert(flags: ConvertFlags): Promise<number> {
  const lens = await readLens(flags.lens);
  if (!lens.versions.includes(flags.to))
    throw new CommandFailure(
      `${flags.lens} has no version ${flags.to}; it has ${lens.versions.join(', ')}`,
      2,
    );
  const objects = await readItems(flags.filename);
  const converted = objects.flatMap((object) => convertOne(object, lens, flags.to) ?? []);
  process.stdout.write(printed(converted, flags.output));
  return converted.length === objects.length ? 0 : 1;
}

/**
 * The documents of the file, with lists expanded. An empty list is a valid result, a file without objects is
 * a mistake.
 */
async function readItems(file: string): Promise<JsonObject[]> {
  const documents = parsed(
    file === '-' ? 'standard input' : file,
    file === '-' ? await text(process.stdin) : await readText(file),
  );
  return documents.flatMap((document): JsonObject[] => {
    const { items, kind } = document;
    return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
      ? items.filter((item) => isJsonObject(item))
      : [document];
  });
}

function parsed(source: string, content: string): JsonObject[] {
  let values: JsonValue[];
  try {
    values = parseYamlDocuments(content).map(({ value }) => value);
  } catch (error) {
    throw new CommandFailure(`${source}: ${(error as Error).message}`);
  }
  const foreign = values.find((value) => !isJsonObject(value) && value !== null);
  if (foreign !== undefined)
    throw new CommandFailure(`${source} contains no objects, but ${encodeJson(foreign).slice(0, MAX_SHOWN)}`);
  const documents = values.filter(isJsonObject);
  if (documents.length === 0)
    throw new CommandFailure(`${source} contains no objects: there is nothing to convert`);
  return documents;
}

function convertOne(object: JsonObject, lens: LensSet, to: string): JsonValue | undefined {
  if (typeof object['apiVersion'] !== 'string' || typeof object['kind'] !== 'string') {
    process.stderr.write(`error: ${encodeJson(object).slice(0, MAX_SHOWN)} has no apiVersion and kind\n`);
    return undefined;
  }
  try {
    return lens.convert({ metadata: {}, ...object } as unknown as KubeObject, to) as unknown as JsonValue;
  } catch (error) {
    if (!(error instanceof LensError)) throw error;
    const name = isJsonObject(object['metadata']) ? object['metadata']['name'] : undefined;
    process.stderr.write(
      `error: ${String(object['kind'])} ${String(name ?? '(no name)')}: ${error.message}\n`,
    );
    return undefined;
  }
}

function printed(objects: readonly JsonValue[], output: ConvertFlags['output']): string {
  if (output === 'yaml') return objects.map((object) => printYaml(object)).join('---\n');
  return objects.map((object) => `${encodeJson(object, 2)}\n`).join('');
}
