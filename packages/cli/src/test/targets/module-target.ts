// Functions of a JavaScript module: { 'v1→v2': fn, … }, exported as `convert`, or as part of the default
// export, as the webhook kit takes them. Their results are not corrected, so that the laws see what they do.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { CommandFailure } from '../../exit-with-message.ts';
import { importModule } from '../../import-module.ts';
import type { Definition } from '../load-definition.ts';
import type { Target } from './target.ts';
import { findWay, type Step, stepsOf } from './way.ts';

export async function moduleTarget(file: string, { group, kind, versions }: Definition): Promise<Target> {
  const steps = stepsOf(await functionsOf(file, kind), file);
  for (const from of versions)
    for (const to of versions)
      if (findWay(steps, from.name, to.name) === undefined)
        throw new CommandFailure(`${file}: there is no conversion from ${from.name} to ${to.name}`, 2);
  const convertOne = async (object: JsonObject, apiVersion: string): Promise<JsonValue> => {
    const [from, to] = [versionOf(String(object['apiVersion'])), versionOf(apiVersion)];
    let current: JsonValue = object;
    for (const step of findWay(steps, from, to) ?? [])
      current = relabeled(await step.run(current, contextOf(step)), step, group);
    return current;
  };
  return {
    description: `the functions of ${file}`,
    isInProcess: true,
    convert: async (objects, apiVersion) => {
      const converted: JsonValue[] = [];
      for (const object of objects)
        converted.push(await convertOne(object as unknown as JsonObject, apiVersion));
      return { objects: converted };
    },
    close: () => undefined,
  };
}

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
const contextOf = ({ from, to }: Step) => ({ from, to, signal: new AbortController().signal });

/** The webhook kit sets apiVersion if a function has not. */
function relabeled(result: JsonValue, { from, to }: Step, group: string): JsonValue {
  if (
    !isJsonObject(result) ||
    (result['apiVersion'] !== undefined && result['apiVersion'] !== `${group}/${from}`)
  )
    return result;
  return { ...result, apiVersion: `${group}/${to}` };
}

interface Exports {
  readonly convert?: unknown;
  readonly default?: unknown;
}

async function functionsOf(file: string, kind: string): Promise<Record<string, unknown>> {
  const module: Exports = await importModule(file);
  const definitions = [module, ...[module.default].flat()] as (Exports & { kind?: string })[];
  const found = definitions.find(
    (one) => isRecord(one) && isRecord(one.convert) && (one.kind === undefined || one.kind === kind),
  );
  if (found !== undefined) return found.convert as Record<string, unknown>;
  throw new CommandFailure(
    `${file} exports no conversions: export const convert = { 'v1→v2': (object) => …, … }`,
    2,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
