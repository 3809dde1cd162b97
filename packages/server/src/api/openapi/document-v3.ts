// The document of one group version in OpenAPI 3, made when its hash or its bytes are first requested.
import { createHash } from 'node:crypto';
import { encodeJson, type JsonObject } from '@instar/machinery';
import { VERSION_INFO } from '../health/version.ts';
import { V3 } from './dialect.ts';
import { encodeDocumentV3 } from './protobuf/document-v3.ts';
import {
  addMetaModels,
  addModels,
  hasScale,
  type PublishedResource,
  pathsOf,
  publishTheSame,
} from './published-resource.ts';
import { type ByteBudget, RecentBytes } from './recent-bytes.ts';
import type { Models } from './schema/go-schema.ts';

export class DocumentV3 {
  /** As in the index: "api/v1", "apis/group/version". */
  readonly path: string;
  readonly resources: readonly PublishedResource[];
  #hash: string | undefined;
  readonly #json: RecentBytes;

  constructor(path: string, resources: readonly PublishedResource[], budget: ByteBudget) {
    this.path = path;
    this.resources = resources;
    this.#json = new RecentBytes(budget, () => [Buffer.from(encodeJson(this.#make()))]);
  }

  /** True if a document of these resources would be the same. */
  isOf(resources: readonly PublishedResource[]): boolean {
    return publishTheSame(resources, this.resources);
  }

  /** Does not cache the bytes: most documents are only needed once, for their hash in the index. */
  get hash(): string {
    this.#hash ??= createHash('sha512').update(this.#json.peek()[0]!).digest('hex').toUpperCase();
    return this.#hash;
  }

  get url(): string {
    return `/openapi/v3/${encodeURI(this.path)}?hash=${this.hash}`;
  }

  json(): Buffer {
    return this.#json.get()[0]!;
  }

  protobuf(): Uint8Array {
    return encodeDocumentV3(this.#make());
  }

  #make(): JsonObject {
    const models: Models = new Map();
    addMetaModels(models, V3, this.resources.some(hasScale));
    for (const resource of this.resources) addModels(models, resource, V3);
    return {
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: VERSION_INFO.gitVersion },
      paths: sorted(this.resources.flatMap((resource) => [...pathsOf(resource, V3)])),
      components: { schemas: sorted([...models]) },
    };
  }
}

const sorted = (entries: [string, JsonObject][]): JsonObject =>
  Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
