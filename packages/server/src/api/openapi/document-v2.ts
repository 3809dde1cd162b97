// The single document of OpenAPI 2, with all resources. It consists of parts, one for each custom kind and
// one for all built-in kinds: a change of a definition costs its own part only, and the parts are never
// copied into one buffer.
import { createHash } from 'node:crypto';
import { encodeJson, type JsonObject } from '@instar/machinery';
import type { TimeSlice } from '../../objects/time-slice.ts';
import { VERSION_INFO } from '../health/version.ts';
import { V2 } from './dialect.ts';
import { sharedParametersInV2 } from './paths/print-paths.ts';
import { encodeDefinitionsV2, encodeHeadV2, encodePathsV2, openingV2 } from './protobuf/document-v2.ts';
import {
  addMetaModels,
  addModels,
  type PublishedResource,
  pathsOf,
  publishTheSame,
} from './published-resource.ts';
import { type ByteBudget, RecentBytes, totalBytes } from './recent-bytes.ts';
import type { Models } from './schema/go-schema.ts';

/** The members of `paths` and of `definitions` that a part adds, without the braces. */
type Encoded = readonly [paths: Buffer, definitions: Buffer];

export class PartV2 {
  readonly #resources: readonly PublishedResource[];
  readonly #hasMeta: boolean;
  readonly #json: RecentBytes;
  readonly #protobuf: RecentBytes;
  #digest: Buffer | undefined;

  constructor(resources: readonly PublishedResource[], hasMeta: boolean, budget: ByteBudget) {
    this.#resources = resources;
    this.#hasMeta = hasMeta;
    this.#json = new RecentBytes(budget, () => [membersOf(this.#paths()), membersOf(this.#definitions())]);
    this.#protobuf = new RecentBytes(budget, () => [
      encodePathsV2(this.#paths()),
      encodeDefinitionsV2(this.#definitions()),
    ]);
  }

  isOf(resources: readonly PublishedResource[]): boolean {
    return publishTheSame(resources, this.#resources);
  }

  digest(): Buffer {
    if (this.#digest === undefined) {
      const [paths, definitions] = this.json();
      this.#digest = createHash('sha512').update(paths).update('\n').update(definitions).digest();
    }
    return this.#digest;
  }

  json(): Encoded {
    return this.#json.get() as Encoded;
  }

  protobuf(): Encoded {
    return this.#protobuf.get() as Encoded;
  }

  #paths(): JsonObject {
    return Object.fromEntries(this.#resources.flatMap((resource) => [...pathsOf(resource, V2)]));
  }

  #definitions(): JsonObject {
    const models: Models = new Map();
    if (this.#hasMeta) addMetaModels(models, V2, true);
    for (const resource of this.#resources) addModels(models, resource, V2);
    return Object.fromEntries(models);
  }
}

const membersOf = (object: JsonObject): Buffer => Buffer.from(encodeJson(object).slice(1, -1));

const head = (): JsonObject => ({
  swagger: '2.0',
  info: { title: 'Kubernetes', version: VERSION_INFO.gitVersion },
  parameters: sharedParametersInV2(),
});

export class DocumentV2 {
  readonly #parts: readonly PartV2[];
  #etag: string | undefined;

  constructor(parts: readonly PartV2[]) {
    this.#parts = parts;
  }

  async etag(slice: TimeSlice): Promise<string> {
    if (this.#etag !== undefined) return this.#etag;
    const hash = createHash('sha512').update(encodeJson(head()));
    for (const part of this.#parts) {
      hash.update(part.digest());
      await slice.yieldIfOver();
    }
    this.#etag = hash.digest('hex').toUpperCase();
    return this.#etag;
  }

  async json(slice: TimeSlice): Promise<Uint8Array[]> {
    const parts = await encodedParts(this.#parts, (part) => part.json(), slice);
    return [
      Buffer.from(`${encodeJson(head()).slice(0, -1)},"paths":{`),
      ...withCommas(parts.map(([paths]) => paths)),
      Buffer.from('},"definitions":{'),
      ...withCommas(parts.map(([, definitions]) => definitions)),
      Buffer.from('}}'),
    ];
  }

  async protobuf(slice: TimeSlice): Promise<Uint8Array[]> {
    const parts = await encodedParts(this.#parts, (part) => part.protobuf(), slice);
    const paths = parts.map(([part]) => part);
    const definitions = parts.map(([, part]) => part);
    return [
      encodeHeadV2(head()),
      openingV2('paths', totalBytes(paths)),
      ...paths,
      openingV2('definitions', totalBytes(definitions)),
      ...definitions,
    ];
  }
}

async function encodedParts(
  parts: readonly PartV2[],
  encode: (part: PartV2) => Encoded,
  slice: TimeSlice,
): Promise<Encoded[]> {
  const encoded: Encoded[] = [];
  for (const part of parts) {
    encoded.push(encode(part));
    await slice.yieldIfOver();
  }
  return encoded;
}

const COMMA = Buffer.from(',');

const withCommas = (parts: readonly Buffer[]): Buffer[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));
