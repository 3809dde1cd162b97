// One object from each of a few versions to each other and back: whether every answer comes and is valid, and
// whether all of the object comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Converter, isFailure, sourceOf } from '@instar/convert';
import { asJson, type KubeObject } from '@instar/machinery';
import type { CompiledSchema } from '@instar/schema';
import { changeOf } from './round-trip.ts';

const MAX_TOLD = 300;
/** For all calls together: a request may take 60. */
const MAX_SECONDS = 40;

/** A version with its schema compiled once, for all objects that come to it. */
export interface TriedVersion {
  readonly name: string;
  readonly schema: CompiledSchema;
}

interface Trip {
  readonly object?: KubeObject;
  readonly problem?: string;
}

/** What was found between two versions; the pair is told as in "v1 to v2". */
interface Finding {
  readonly pair: string;
  readonly problem?: string;
}

export class ConversionTrial {
  readonly #converter: Converter;
  readonly #versions: readonly TriedVersion[];
  readonly #maxSeconds: number;
  /** The way back of one pair of versions is the way there of another, and is gone once. */
  readonly #trips = new Map<KubeObject, Map<TriedVersion, Promise<Trip>>>();

  constructor(converter: Converter, versions: readonly TriedVersion[], maxSeconds = MAX_SECONDS) {
    this.#converter = converter;
    this.#versions = versions;
    this.#maxSeconds = maxSeconds;
  }

  /** Texts for Warning headers. */
  async report(sample: KubeObject): Promise<string[]> {
    const end = new AbortController();
    const problem = `there was no answer in the ${this.#maxSeconds} s that a dry run waits`;
    const timeIsUp = sleep(this.#maxSeconds * 1000, { problem }, { signal: end.signal }).catch(() => ({}));
    const findings = await this.#try(sample, timeIsUp).finally(() => end.abort());
    const { namespace, name } = sample.metadata;
    return textsOf(`preflight: ${namespace === undefined ? '' : `${namespace}/`}${name}`, findings);
  }

  async #try(sample: KubeObject, timeIsUp: Promise<Trip>): Promise<Finding[]> {
    const convert = (object: KubeObject, version: TriedVersion) =>
      Promise.race([timeIsUp, this.#convert(object, version)]);
    const outward = await Promise.all(this.#others(sample).map((version) => convert(sample, version)));
    const starts = [sample, ...outward.flatMap(({ object }) => object ?? [])];
    const pairs = starts.flatMap((start) =>
      this.#others(start).map((version) => this.#thereAndBack(start, version, convert)),
    );
    return (await Promise.all(pairs)).flat();
  }

  #others(object: KubeObject): TriedVersion[] {
    return this.#versions.filter(({ name }) => name !== versionOf(object));
  }

  async #thereAndBack(object: KubeObject, version: TriedVersion, convert: Convert): Promise<Finding[]> {
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

  #convert(object: KubeObject, version: TriedVersion): Promise<Trip> {
    const trips = this.#trips.get(object) ?? new Map<TriedVersion, Promise<Trip>>();
    this.#trips.set(object, trips);
    const trip = trips.get(version) ?? converted(this.#converter, object, version);
    trips.set(version, trip);
    return trip;
  }
}

type Convert = (object: KubeObject, version: TriedVersion) => Promise<Trip>;

/** Of each pair the first problem; a way back that failed may be told twice. */
function textsOf(start: string, findings: readonly Finding[]): string[] {
  const problems = new Map<string, string>();
  for (const { pair, problem } of findings)
    if (problem !== undefined && !problems.has(pair)) problems.set(pair, problem);
  if (problems.size > 0)
    return [...problems].map(
      ([pair, problem]) => `${start} from ${pair}: ${oneLine(problem).slice(0, MAX_TOLD)}`,
    );
  return [
    `${start} was converted ${findings.map(({ pair }) => pair).join(', ')}; all answers are good, and nothing is lost`,
  ];
}

/** A Warning header with anything else is not sent. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ');

const versionOf = ({ apiVersion }: KubeObject): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

async function converted(converter: Converter, object: KubeObject, version: TriedVersion): Promise<Trip> {
  const apiVersion = object.apiVersion.replace(/[^/]+$/, () => version.name);
  let trip: Trip = {};
  await converter.convert?.([sourceOf(object)], apiVersion, (_, outcome) => {
    trip = isFailure(outcome)
      ? { problem: outcome.explain({ withUid: false }) }
      : { object: outcome, ...problemOf(outcome, version) };
  });
  return trip;
}

function problemOf(object: KubeObject, { schema }: TriedVersion): Pick<Trip, 'problem'> {
  const [error] = schema.validate(asJson(object));
  return error === undefined ? {} : { problem: `the result is not valid: ${error.field}: ${error.detail}` };
}
