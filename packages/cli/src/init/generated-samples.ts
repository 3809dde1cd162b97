// Samples for a definition without any: one object with what is required and one with more, as far as they
// convert both ways.
import type { LensSet } from '@instar/lens';
import {
  arbitraryOf,
  type ConvertFunction,
  checkSamples,
  GenerationError,
  type ProofVersion,
  type SampleCase,
  sample,
} from '@instar/lens/proof';
import { asJson, asKubeObject } from '@instar/machinery';

const SEED = 1;
const SIZES = ['required', 'small'] as const;

export async function generatedSamples(
  versions: readonly ProofVersion[],
  lens: LensSet,
): Promise<SampleCase[]> {
  const convert: ConvertFunction = (objects, to) => ({
    objects: objects.map((object) => asJson(lens.convert(object, to))),
  });
  const cases = SIZES.flatMap((size) => caseOf(size, versions, lens) ?? []);
  const reports = await checkSamples(convert, versions, cases);
  const bad = new Set(
    reports
      .filter(({ failure, differences }) => failure !== undefined || differences.length > 0)
      .map(({ name }) => name),
  );
  return cases.filter(({ name }) => !bad.has(name));
}

function caseOf(
  size: (typeof SIZES)[number],
  versions: readonly ProofVersion[],
  lens: LensSet,
): SampleCase | undefined {
  const [first] = versions;
  if (first === undefined) return undefined;
  try {
    const [made] = sample(arbitraryOf(first.schema, { ...first, size, defaults: false }), 1, SEED);
    const object = asKubeObject({ ...asJson(made!), metadata: { name: size } });
    const objects = versions.map(({ apiVersion }) =>
      apiVersion === object.apiVersion ? object : lens.convert(object, apiVersion),
    );
    return { name: size, objects };
  } catch (error) {
    if (error instanceof GenerationError || (error as Error).name === 'LensError') return undefined;
    throw error;
  }
}
