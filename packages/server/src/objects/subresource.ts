// Subresources that a version declares, besides status, scale and finalize, which have their own handlers.
// Discovery, OpenAPI, admission and metrics follow from the declaration.
import type { StructType } from '@instar/kinds';
import type { GroupVersionKind, JsonObject, KubeObject, Status } from '@instar/machinery';
import type { ApiRequest, ApiResponse } from '../wire/exchange.ts';

export type DeclaredSubresource = ViewSubresource | CreatedSubresource | ConnectedSubresource;

/**
 * The object itself, of which only a part may be written: GET, PUT and PATCH. The strategy finds the name in
 * `subresource` of the write context.
 */
interface ViewSubresource {
  readonly style: 'view';
  readonly name: string;
}

/** An object of another kind is posted, which changes the object or is answered with something computed. */
export interface CreatedSubresource {
  readonly style: 'create';
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly type: StructType;
  /** Other apiVersions in which the same kind is accepted. */
  readonly alsoAccepts?: readonly string[];
  /** What is there before anything is set, and therefore owned by no one, if that is not the zero value. */
  readonly blank?: JsonObject;
  /** Defaults that the type cannot express. */
  readonly fillIn?: (object: JsonObject) => void;
  /** Runs after mutating admission. Returns what is answered with 201. */
  create(call: CreateCall): Promise<KubeObject | Status>;
}

/** Connects the client with a node, which this server does not have: the answer up to that point. */
interface ConnectedSubresource {
  readonly style: 'connect';
  readonly name: string;
  /** As discovery lists them: create for POST, get for GET, … */
  readonly verbs: readonly string[];
  /** The kind of its options; without it, that of the resource. */
  readonly kind?: GroupVersionKind;
  /** Accepts a path below its own (proxy). */
  readonly hasPath?: boolean;
  connect(call: SubresourceCall): Promise<ApiResponse>;
}

/** What a subresource may do for a request. */
export interface SubresourceCall {
  readonly request: ApiRequest;
  readonly namespace: string;
  readonly name: string;
  /** The object itself. Throws if it does not exist. */
  read(): Promise<KubeObject>;
  /** An object of another resource. */
  find(group: string, plural: string, namespace: string, name: string): Promise<KubeObject | undefined>;
}

/** The object that a client expects to change. */
export interface ExpectedObject {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface RemoveOptions extends ExpectedObject {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  readonly orphanDependents?: boolean | undefined;
}

export interface CreateCall extends SubresourceCall {
  /** The posted object. */
  readonly object: KubeObject;
  readonly dryRun: boolean;
  /** RFC 3339. */
  readonly now: string;
  /** Validating admission of the posted object. */
  admit(): Promise<void>;
  /** Stores `change` of the object, past admission and strategy; called again after a lost race. */
  amend(change: (live: KubeObject) => KubeObject, expected?: ExpectedObject): Promise<KubeObject>;
  /** Deletes the object, past admission. */
  remove(options: RemoveOptions, dryRun: boolean): Promise<void>;
  /** The objects of another resource in the same namespace. */
  list(group: string, plural: string): Promise<KubeObject[]>;
  /** Writes the status of an object of another resource, if it is still at the resourceVersion of `next`. */
  updateStatus(group: string, plural: string, next: KubeObject): Promise<void>;
}

interface HasSubresources {
  readonly subresources?: readonly DeclaredSubresource[];
}

export const findSubresource = (
  { subresources = [] }: HasSubresources,
  name: string,
): DeclaredSubresource | undefined => subresources.find((declared) => declared.name === name);

const VIEW_VERBS = ['get', 'patch', 'update'];

/** The verbs that a declared subresource supports, in the order of discovery. */
export const subresourceVerbs = (declared: DeclaredSubresource): readonly string[] =>
  declared.style === 'view' ? VIEW_VERBS : declared.style === 'create' ? ['create'] : declared.verbs;

/** The kind of what it takes or answers, if it is not the kind of the resource. */
export const subresourceKind = (declared: DeclaredSubresource): GroupVersionKind | undefined =>
  declared.style === 'view' ? undefined : declared.kind;
