// Converts one object between each pair of a few versions and back: checks that every result arrives and is
// valid, and that the object loses nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Converter, isFailure, sourceOf } from '@instar/convert';
import { asJson, type KubeObject } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';
import { changeOf } from './round-trip.ts';

const MAX_PROBLEM_CHARACTERS = 300;
/** For all calls together: a request may take 60. */
const MAX_SECONDS = 40;

/** A version with its schema compiled once, for all objects that are converted to it. */
export interface TriedVersion {
  readonly name: string;
  readonly schema: CompiledSchema;
}

interface TrialOutcome {
  readonly object?: KubeObject;
  readonly problem?: string;
}

/** The result for two versions; the pair is written as "v1 to v2". */
interface PairResult {
  readonly pair: string;
  readonly problem?: string;
}

export class ConversionTrial {
  readonly #converter: Converter;
  readonly #versions: readonly TriedVersion[];
  readonly #maxSeconds: number;
  /** Memoized: the conversion back of one pair of versions is the conversion there of another. */
  readonly #outcomes = new Map<KubeObject, Map<TriedVersion, Promise<TrialOutcome>>>();

  constructor(converter: Converter, versions: readonly TriedVersion[], maxSeconds = MAX_SECONDS) {
    this.#converter = converter;
    this.#versions = versions;
    this.#maxSeconds = maxSeconds;
  }

  /** Texts for Warning headers. */
  async report(sample: KubeObject): Promise<string[]> {
    const end = new AbortController();
    const problem = `there was no answer in the ${this.#maxSeconds} s that a dry run waits`;
    const timeout = sleep(this.#maxSeconds * 1000, { problem }, { signal: end.signal }).catch(() => ({}));
    const results = await this.#try(sample, timeout).finally(() => end.abort());
    const { namespace, name } = sample.metadata;
    return textsOf(`preflight: ${namespace === undefined ? '' : `${namespace}/`}${name}`, results);
  }

  async #try(sample: KubeObject, timeout: Promise<TrialOutcome>): Promise<PairResult[]> {
    const convert = (object: KubeObject, version: TriedVersion) =>
      Promise.race([timeout, this.#convert(object, version)]);
    const outward = await Promise.all(this.#others(sample).map((version) => convert(sample, version)));
    const starts = [sample, ...outward.flatMap(({ object }) => object ?? [])];
    const pairs = starts.flatMap((start) =>
      this.#others(start).map((version) => this.#roundTrip(start, version, convert)),
    );
    return (await Promise.all(pairs)).flat();
  }

  #others(object: KubeObject): TriedVersion[] {
    return this.#versions.filter(({ name }) => name !== versionOf(object));
  }

  async #roundTrip(object: KubeObject, version: TriedVersion, convert: Convert): Promise<PairResult[]> {
    const [from, to] = [versionOf(object), version.name];
    const there = await convert(object, version);
    if (there.object === undefined || there.problem !== undefined)
      return [{ pair: `${from} to ${to}`, ...there }];
    // The object may be stored in a version that is not tried.
    const origin = this.#versions.find(({ name }) => name === from);
    if (origin === undefined) return [{ pair: `${from} to ${to}` }];
    const back = await convert(there.object, origin);
    if (back.object === undefined || back.problem !== undefined)
      return [{ pair: `${to} to ${from}`, ...back }];
    const change = changeOf(object, back.object, origin.schema);
    return [{ pair: `${from} to ${to} and back`, ...(change !== undefined && { problem: change }) }];
  }

  #convert(object: KubeObject, version: TriedVersion): Promise<TrialOutcome> {
    const outcomes = this.#outcomes.get(object) ?? new Map<TriedVersion, Promise<TrialOutcome>>();
    this.#outcomes.set(object, outcomes);
    const outcome = outcomes.get(version) ?? converted(this.#converter, object, version);
    outcomes.set(version, outcome);
    return outcome;
  }
}

type Convert = (object: KubeObject, version: TriedVersion) => Promise<TrialOutcome>;

/** The first problem of each pair; a way back that failed may be reported twice. */
function textsOf(start: string, results: readonly PairResult[]): string[] {
  const problems = new Map<string, string>();
  for (const { pair, problem } of results)
    if (problem !== undefined && !problems.has(pair)) problems.set(pair, problem);
  if (problems.size > 0)
    return [...problems].map(
      ([pair, problem]) => `${start} from ${pair}: ${oneLine(problem).slice(0, MAX_PROBLEM_CHARACTERS)}`,
    );
  return [
    `${start} was converted ${results.map(({ pair }) => pair).join(', ')}; all answers are good, and nothing is lost`,
  ];
}

/** A Warning header with control characters would not be sent. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ');

const versionOf = ({ apiVersion }: KubeObject): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

async function converted(
  converter: Converter,
  object: KubeObject,
  version: TriedVersion,
): Promise<TrialOutcome> {
  const apiVersion = object.apiVersion.replace(/[^/]+$/, () => version.name);
  let trial: TrialOutcome = {};
  await converter.convert?.([sourceOf(object)], apiVersion, (_, outcome) => {
    trial = isFailure(outcome)
      ? { problem: outcome.explain({ withUid: false }) }
      : { object: outcome, ...problemOf(outcome, version) };
  });
  return trial;
}

function problemOf(object: KubeObject, { schema }: TriedVersion): Pick<TrialOutcome, 'problem'> {
  const [error] = schema.validate(asJson(object));
  return error === undefined ? {} : { problem: `the result is not valid: ${error.field}: ${error.detail}` };
}
