// Runs a conversion, by a lens or a webhook, on generated and given objects: to the other version, as a
// server would return them, and back. Counts the objects that lose something.
import type { CustomResourceDefinition } from '@instar/crd';
import { arbitraryOf, type ConvertFunction, differencesOf } from '@instar/lens/proof';
import {
  asJson,
  asKubeObject,
  deepCopy,
  fieldErrorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@instar/machinery';
import fc from 'fast-check';
import type { Finding } from '../finding.ts';
import { findingOf } from '../finding-of.ts';
import { conversionLoss } from '../rules/reported.ts';
import { compareVersions } from '../version-order.ts';
import { prunedAndDefaulted, type VersionSchema, versionSchema } from './version-schema.ts';

/** How many objects are converted, and from which seed. */
export interface ConversionOptions {
  /** Generated objects for each direction; 50 by default. */
  readonly runs?: number;
  readonly seed?: number;
  /** Existing objects, of any version. */
  readonly objects?: readonly JsonObject[];
}

interface DirectionResult {
  readonly from: string;
  readonly to: string;
  readonly generated: number;
  readonly given: number;
  /** Converted there and back without loss, and valid on the other side. */
  readonly lossless: number;
  /** The first that was not. */
  readonly example?: string;
}

/** What became of the objects that were converted there and back. */
export interface ConversionReport {
  readonly directions: readonly DirectionResult[];
  readonly total: number;
  readonly lossless: number;
}

/** Between all versions: those of the new definition, and those that only the old one has. */
export async function checkConversion(
  was: CustomResourceDefinition,
  is: CustomResourceDefinition,
  convert: ConvertFunction,
  options: ConversionOptions = {},
): Promise<ConversionReport> {
  const versions = versionsOf(was, is);
  const directions: DirectionResult[] = [];
  for (const from of versions)
    for (const to of versions)
      if (from !== to) directions.push(await checkDirection(from, to, convert, options));
  const sum = (count: (one: DirectionResult) => number): number =>
    directions.reduce((total, one) => total + count(one), 0);
  return {
    directions,
    total: sum(({ generated, given }) => generated + given),
    lossless: sum(({ lossless }) => lossless),
  };
}

function versionsOf(was: CustomResourceDefinition, is: CustomResourceDefinition): VersionSchema[] {
  const removed = was.spec.versions.filter(
    ({ name }) => !is.spec.versions.some((version) => version.name === name),
  );
  const schemas = [
    ...removed.map((version) => versionSchema(was, version)),
    ...is.spec.versions.map((version) => versionSchema(is, version)),
  ];
  return schemas.flatMap((schema) => schema ?? []).sort((a, b) => compareVersions(a.name, b.name));
}

async function checkDirection(
  from: VersionSchema,
  to: VersionSchema,
  convert: ConvertFunction,
  { runs = 50, seed = 1, objects = [] }: ConversionOptions,
): Promise<DirectionResult> {
  const { schema, apiVersion, kind, namespaced } = from;
  const given = objects.filter((object) => object['apiVersion'] === apiVersion && object['kind'] === kind);
  const made = generate(() =>
    fc.sample(arbitraryOf(schema, { apiVersion, kind, namespaced }), { numRuns: runs, seed }).map(asJson),
  );
  let lossless = 0;
  let example: string | undefined;
  for (const object of [...given, ...made]) {
    const loss = await lossOf(object, from, to, convert);
    if (loss === undefined) lossless++;
    else example ??= loss;
  }
  return {
    from: from.name,
    to: to.name,
    generated: made.length,
    given: given.length,
    lossless,
    ...(example !== undefined && { example }),
  };
}

/** If no object can be generated for a schema, only given ones are used. */
function generate(make: () => JsonObject[]): JsonObject[] {
  try {
    return make();
  } catch {
    return [];
  }
}

async function lossOf(
  object: JsonObject,
  from: VersionSchema,
  to: VersionSchema,
  convert: ConvertFunction,
): Promise<string | undefined> {
  const there = await one(convert, object, to.apiVersion);
  if (typeof there === 'string') return `to ${to.name}: ${there}`;
  const seen = prunedAndDefaulted(there, to);
  const [refusal] = to.schema.validate(seen);
  if (refusal !== undefined) return `not valid in ${to.name}: ${fieldErrorMessage(refusal)}`;
  const back = await one(convert, seen, from.apiVersion);
  if (typeof back === 'string') return `back to ${from.name}: ${back}`;
  const [first] = differencesOf(
    comparable(prunedAndDefaulted(object, from), object),
    comparable(prunedAndDefaulted(back, from), object),
  );
  return first === undefined
    ? undefined
    : `${first.path} differs after ${from.name} → ${to.name} → ${from.name}`;
}

async function one(
  convert: ConvertFunction,
  object: JsonObject,
  apiVersion: string,
): Promise<JsonObject | string> {
  try {
    const result = await convert([asKubeObject(deepCopy(object))], apiVersion);
    if ('failure' in result) return result.failure;
    const [converted] = result.objects;
    return isJsonObject(converted) ? converted : 'the response contains no object';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Without annotations that the object did not have: a conversion may stash values there. */
function comparable(object: JsonObject, original: JsonObject): JsonValue {
  const copy = deepCopy(object) as JsonObject;
  const [metadata, known] = [copy, original].map(({ metadata: part }) =>
    isJsonObject(part) ? part : {},
  ) as [JsonObject, JsonObject];
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  const before = isJsonObject(known['annotations']) ? known['annotations'] : {};
  for (const key of Object.keys(annotations)) if (!Object.hasOwn(before, key)) delete annotations[key];
  if (Object.keys(annotations).length === 0) delete metadata['annotations'];
  return copy;
}

/** Findings about conversions that lose or change data. */
export function conversionFindings(
  crd: CustomResourceDefinition,
  { directions }: ConversionReport,
): Finding[] {
  return directions.flatMap(({ from, to, generated, given, lossless, example }) => {
    const total = generated + given;
    if (lossless === total) return [];
    const message = `${total - lossless} of ${total} objects lose something in the conversion`;
    return [
      findingOf(
        conversionLoss,
        { severity: 'breaking', message, evidence: [{ text: example! }] },
        crd,
        'served-versions',
        {
          version: from,
          toVersion: to,
        },
      ),
    ];
  });
}

/**
 * What the conversion preserves no longer breaks clients that use it: adds to each finding how many objects
 * were converted without loss.
 */
export function withConversion(findings: readonly Finding[], report: ConversionReport): Finding[] {
  return findings.map((finding) => {
    if (finding.severity !== 'breaking' && finding.severity !== 'unsure') return finding;
    const used = report.directions.filter(({ from, to }) => concerns(finding, from, to));
    const total = used.reduce((sum, { generated, given }) => sum + generated + given, 0);
    const lossless = used.reduce((sum, one) => sum + one.lossless, 0);
    return total === 0 ? finding : { ...finding, converted: { lossless, total } };
  });
}

const OF_A_REMOVED_VERSION = new Set(['version-removed', 'served', 'stored-versions']);

function concerns({ scope, version, toVersion, rule }: Finding, from: string, to: string): boolean {
  if (
    (scope === 'served-versions' || scope === 'executed') &&
    toVersion !== undefined &&
    rule !== 'conversion-loss'
  )
    return [from, to].sort().join() === [version, toVersion].sort().join();
  return OF_A_REMOVED_VERSION.has(rule) && version === from;
}
