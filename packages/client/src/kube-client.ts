// The verbs of an API server over HTTPS; kube-api.ts documents them.
import { encodeJson, type KubeObject, PATCH_MEDIA_TYPES, parseJson } from '@instar/machinery';
import { ConnectionError } from './connection-error.ts';
import { Discovery } from './discovery.ts';
import { resourceByName, resourceOfKind } from './discovery-documents.ts';
import type {
  CallOptions,
  DeleteOptions,
  DiscoveredGroup,
  KubeApi,
  ListOptions,
  ObjectList,
  PageOptions,
  PatchOptions,
  Query,
  RawAnswer,
  RawRequest,
  ResourceInfo,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-api.ts';
import type { ClusterAccess } from './kubeconfig/cluster-access.ts';
import { type AccessOptions, readClusterAccess } from './kubeconfig/read-access.ts';
import { listPages } from './list-pages.ts';
import { type ResourceRef, resourcePath } from './resource-ref.ts';
import { apiErrorOf } from './transport/api-error-of.ts';
import { Transport, type TransportOptions } from './transport/transport.ts';
import { watchEvents } from './watch-events.ts';

const JSON_TYPE = 'application/json';

/** A client for the cluster that kubectl would use (see read-access.ts). Nothing is sent yet. */
export async function openKubeClient(options: AccessOptions & TransportOptions = {}): Promise<KubeClient> {
  return new KubeClient(await readClusterAccess(options), options);
}

/** A client of one API server, over HTTPS. */
export class KubeClient implements KubeApi {
  readonly namespace: string;
  readonly server: string;
  readonly #transport: Transport;
  readonly #discovery: Discovery;

  constructor(access: ClusterAccess, options: TransportOptions = {}) {
    this.namespace = access.namespace;
    this.server = access.server;
    this.#transport = new Transport(access, options);
    this.#discovery = new Discovery((request) => this.#transport.request(request));
  }

  request(request: RawRequest): Promise<RawAnswer> {
    return this.#transport.request(request);
  }

  get<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options: CallOptions & { readonly resourceVersion?: string } = {},
  ): Promise<T> {
    const { resourceVersion, ...call } = options;
    return this.#json<T>({ ...call, method: 'GET', path: resourcePath(ref), query: { resourceVersion } });
  }

  async list<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options: ListOptions = {},
  ): Promise<ObjectList<T>> {
    const { signal: _, timeoutMs: __, ...query } = options;
    const list = await this.#json<ObjectList<T>>({
      ...callOf(options),
      method: 'GET',
      path: resourcePath(ref),
      query,
    });
    return { ...list, metadata: list.metadata ?? {}, items: typedItems(list) };
  }

  pages<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options?: PageOptions,
  ): AsyncGenerator<ObjectList<T>> {
    return listPages<T>(this, ref, options);
  }

  async *watch<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>> {
    const { signal: _, timeoutMs: __, allowBookmarks, ...rest } = options;
    const query: Query = { ...rest, watch: true, allowWatchBookmarks: allowBookmarks };
    const request: RawRequest = {
      ...callOf(options),
      method: 'GET',
      path: resourcePath(ref),
      query,
      headers: { accept: JSON_TYPE },
    };
    const answer = await this.#transport.stream(request);
    if (!('end' in answer)) throw apiErrorOf(answer.status, answer.body, `GET ${request.path}`);
    answer.stopClock();
    try {
      yield* watchEvents<T>(answer.body, this.#transport.maxBodyBytes);
    } finally {
      answer.end();
    }
  }

  create<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    object: object,
    options: WriteOptions = {},
  ): Promise<T> {
    // The name is in the object; the path has it only before a subresource.
    const { name, ...collection } = ref;
    const path = resourcePath(ref.subresource === undefined ? collection : ref);
    return this.#write<T>('POST', path, object, JSON_TYPE, options);
  }

  replace<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    object: object,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#write<T>('PUT', resourcePath(ref), object, JSON_TYPE, options);
  }

  patch<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    patch: object,
    options: PatchOptions,
  ): Promise<T> {
    return this.#write<T>('PATCH', resourcePath(ref), patch, PATCH_MEDIA_TYPES[options.type], options, {
      force: options.force,
    });
  }

  delete(ref: ResourceRef, options: DeleteOptions = {}): Promise<unknown> {
    const { signal: _, timeoutMs: __, dryRun, ...rest } = options;
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...rest, ...(dryRun && { dryRun: ['All'] }) };
    return this.#json({
      ...callOf(options),
      method: 'DELETE',
      path: resourcePath(ref),
      headers: { 'content-type': JSON_TYPE },
      body: encodeJson(body),
    });
  }

  discover(options?: CallOptions & { readonly refresh?: boolean }): Promise<readonly DiscoveredGroup[]> {
    return this.#discovery.groups(options);
  }

  resourceOfKind(
    kind: { group: string; kind: string; version?: string },
    options?: CallOptions,
  ): Promise<ResourceInfo | undefined> {
    return this.#discovery.find((groups) => resourceOfKind(groups, kind), options);
  }

  findResource(name: string, options?: CallOptions): Promise<ResourceInfo | undefined> {
    return this.#discovery.find((groups) => resourceByName(groups, name), options);
  }

  /** Aborts the requests in flight, including watches. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #write<T>(
    method: string,
    path: string,
    object: object,
    type: string,
    options: WriteOptions,
    more: Query = {},
  ): Promise<T> {
    const { dryRun, fieldManager, fieldValidation } = options;
    return this.#json<T>({
      ...callOf(options),
      method,
      path,
      query: { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation, ...more },
      headers: { 'content-type': type },
      body: encodeJson(object),
    });
  }

  async #json<T>(request: RawRequest): Promise<T> {
    const answer = await this.#transport.request({
      ...request,
      headers: { accept: JSON_TYPE, ...request.headers },
    });
    if (answer.status >= 300)
      throw apiErrorOf(answer.status, answer.body, `${request.method} ${request.path}`);
    try {
      return parseJson(answer.body).value as T;
    } catch (error) {
      throw new ConnectionError(
        'malformed',
        `${this.server} answered ${request.method} ${request.path} with something other than JSON: ${(error as Error).message}`,
      );
    }
  }
}

function callOf({ signal, timeoutMs }: CallOptions): CallOptions {
  return { ...(signal !== undefined && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** Lists of built-in kinds omit apiVersion and kind of the items; readers of single objects rely on them. */
function typedItems<T extends KubeObject>({ apiVersion, kind, items }: ObjectList<T>): T[] {
  const ofItems = kind.endsWith('List') ? kind.slice(0, -4) : kind;
  return (items ?? []).map((item) =>
    item.kind === undefined ? { ...item, apiVersion, kind: ofItems } : item,
  );
}
