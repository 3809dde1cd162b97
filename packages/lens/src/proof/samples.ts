// The same object written in several versions: each must convert to every other.
import { asJson, deepCopy, fieldErrorMessage, type JsonObject, type KubeObject } from '@instar/machinery';
import { Comparer } from './comparison.ts';
import { Conversion } from './conversion.ts';
import type { Difference } from './difference.ts';
import { faultsOf } from './generate/repair.ts';
import { type ConvertFunction, type ProofVersion, settled } from './subject.ts';

/** One object as it should be in several versions. */
export interface SampleCase {
  readonly name: string;
  /** One object a version. */
  readonly objects: readonly KubeObject[];
}

/** The result of one direction of a sample. */
export interface SampleReport {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Why it could not be compared: the sample is invalid, or did not convert. */
  readonly failure?: string;
  /** Expected is the sample, got is the result of the conversion. */
  readonly differences: readonly Difference[];
}

/** How samples are compared. */
export interface SampleOptions {
  readonly ignoreEmpty?: boolean;
}

/** Checks a conversion against objects that are given in several versions. */
export async function checkSamples(
  convert: ConvertFunction,
  versions: readonly ProofVersion[],
  cases: readonly SampleCase[],
  options: SampleOptions = {},
): Promise<SampleReport[]> {
  const reports: SampleReport[] = [];
  for (const one of cases)
    reports.push(...(await checkCase(convert, versions, one, options.ignoreEmpty === true)));
  return reports;
}

interface VersionedSample {
  readonly version: ProofVersion;
  readonly object: JsonObject;
  readonly problem: string | undefined;
}

async function checkCase(
  convert: ConvertFunction,
  versions: readonly ProofVersion[],
  { name, objects }: SampleCase,
  ignoreEmpty: boolean,
): Promise<SampleReport[]> {
  const samples = objects.flatMap((object) => sampleOf(object, versions));
  const reports: SampleReport[] = [];
  for (const from of samples) {
    for (const to of samples) {
      if (from === to) continue;
      const outcome = from.problem ?? to.problem ?? (await compare(convert, from, to, ignoreEmpty));
      const at = { name, from: from.version.name, to: to.version.name };
      reports.push(
        typeof outcome === 'string'
          ? { ...at, failure: outcome, differences: [] }
          : { ...at, differences: outcome },
      );
    }
  }
  return reports;
}

function sampleOf(object: KubeObject, versions: readonly ProofVersion[]): VersionedSample[] {
  const version = versions.find(({ apiVersion }) => apiVersion === object.apiVersion);
  if (version === undefined) return [];
  const copy = deepCopy(asJson(object));
  const unknown = version.schema.prune(copy);
  version.schema.applyDefaults(copy);
  const errors = faultsOf(copy, version.schema).map(fieldErrorMessage);
  const problems = [...unknown.map((path) => `${path}: unknown field`), ...errors];
  return [
    {
      version,
      object: copy,
      problem:
        problems.length === 0
          ? undefined
          : `the sample in ${version.name} is not valid: ${problems.join('; ')}`,
    },
  ];
}

async function compare(
  convert: ConvertFunction,
  from: VersionedSample,
  to: VersionedSample,
  ignoreEmpty: boolean,
): Promise<string | Difference[]> {
  const comparer = new Comparer({ ignoreEmpty });
  const converted = await new Conversion(convert, comparer).run([from.object], to.version.apiVersion);
  if ('failure' in converted) return `the conversion failed: ${converted.failure}`;
  if (converted.objects.length !== 1) return `${converted.objects.length} objects came back for one`;
  return comparer.differences(to.object, settled(deepCopy(converted.objects[0]!), to.version));
}
