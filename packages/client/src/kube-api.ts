// The interface of the client: informers, electors and other users of an API server depend on this and not on
// sockets.
import type { GroupVersion, KubeObject, PatchType } from '@instar/machinery';
import type { ResourceRef } from './resource-ref.ts';

/** Parameters of a URL; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For one attempt, from sending to the last byte of the answer. */
  readonly timeoutMs?: number;
}

/** A request to any path of the server. */
export interface RawRequest extends CallOptions {
  readonly method: string;
  /** From the root of the server's API: `/apis/…`. It may contain a query. */
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer as bytes. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

/** A list of objects, or one page of it. */
export interface ObjectList<T extends KubeObject = KubeObject> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

interface SelectOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Options of a list: which objects, which page, at which resource version. */
export interface ListOptions extends SelectOptions {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Options of a list that is read page by page. */
export interface PageOptions extends SelectOptions {
  /** Default 500. */
  readonly limit?: number;
  readonly resourceVersion?: string;
  /**
   * What to do when the server has compacted the revision of the first page. `fail` (default): throw a 410
   * ApiError that says how far it got. `continue`: continue with the newer state, if the server offers a
   * token for it; objects changed meanwhile may then appear in their newer state.
   */
  readonly onExpired?: 'fail' | 'continue';
}

/** Options of a watch. */
export interface WatchOptions extends SelectOptions {
  readonly resourceVersion?: string;
  readonly allowBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  /** The server ends the watch after this time; the iterator then ends without an error. */
  readonly timeoutSeconds?: number;
}

/** An ERROR event is not yielded: its Status is thrown as an ApiError. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  readonly type: PatchType;
  /** For apply: take ownership of fields of other managers. */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** One resource in one version, from discovery. */
export interface ResourceInfo extends GroupVersion {
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
  /** `status`, `scale`. */
  readonly subresources: readonly string[];
}

/** A group that the server has, with its versions. */
export interface DiscoveredGroup {
  readonly group: string;
  /** Every served version, the preferred one first. */
  readonly versions: readonly string[];
  readonly resources: readonly ResourceInfo[];
}

/**
 * An answer that is not a success is thrown as machinery's ApiError with the server's Status; a failure to
 * get an answer (refused, reset, timed out, too long) as a ConnectionError; an abort as the signal's reason.
 */
export interface KubeApi {
  /** The namespace of the context; `default` if it names none. */
  readonly namespace: string;
  /** Every answer is returned, errors too; retries as the other methods do. */
  request(request: RawRequest): Promise<RawAnswer>;
  get<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options?: CallOptions & { readonly resourceVersion?: string },
  ): Promise<T>;
  list<T extends KubeObject = KubeObject>(ref: ResourceRef, options?: ListOptions): Promise<ObjectList<T>>;
  /** The pages of a list, one request each. */
  pages<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options?: PageOptions,
  ): AsyncGenerator<ObjectList<T>>;
  watch<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    options?: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>>;
  create<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    object: object,
    options?: WriteOptions,
  ): Promise<T>;
  replace<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    object: object,
    options?: WriteOptions,
  ): Promise<T>;
  patch<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    patch: object,
    options: PatchOptions,
  ): Promise<T>;
  /** The deleted object or a Status, as the server answers. */
  delete(ref: ResourceRef, options?: DeleteOptions): Promise<unknown>;
  /** Every served group with its resources; cached until `refresh`. */
  discover(options?: CallOptions & { readonly refresh?: boolean }): Promise<readonly DiscoveredGroup[]>;
  /**
   * The resource of a kind, in the given version or else the preferred one that has it; refreshes discovery
   * before it returns undefined.
   */
  resourceOfKind(
    kind: { group: string; kind: string; version?: string },
    options?: CallOptions,
  ): Promise<ResourceInfo | undefined>;
  /**
   * By the names that users type: `widgets`, `widget`, `wd`, `widgets.example.com`, `widgets.v1.example.com`.
   */
  findResource(name: string, options?: CallOptions): Promise<ResourceInfo | undefined>;
  close(): Promise<void>;
}
