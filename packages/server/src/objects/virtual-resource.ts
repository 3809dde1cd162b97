// Resources that are not stored: the answer is computed for each request.
import type { StructType } from '@instar/kinds';
import type { KubeObject } from '@instar/machinery';
import type { ApiRequest } from '../wire/exchange.ts';
import type { TableColumn } from './definition.ts';

interface VirtualNames {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly namespaced: boolean;
}

/** Supports create only: the answer is computed from the request (access reviews and the like). */
export interface ReviewResource extends VirtualNames {
  readonly verbs: readonly ['create'];
  readonly type: StructType;
  /**
   * Returns the object that is sent with 201, given the decoded body. Throws ApiError. Every other method is
   * answered with 405.
   */
  create(request: ApiRequest, object: KubeObject): Promise<KubeObject>;
}

/** Read only: what the server knows of itself, as objects without namespaces. */
export interface ReportResource extends VirtualNames {
  readonly verbs: readonly ['get', 'list'];
  readonly columns: readonly TableColumn[];
  /** Undefined: not found. */
  get(name: string, query: URLSearchParams): Promise<KubeObject | undefined>;
  list(query: URLSearchParams): Promise<KubeObject[]>;
}

/** What is posted here is posted to the subresource of the object that it names (bindings). */
export interface AliasResource extends VirtualNames {
  readonly verbs: readonly ['create'];
  readonly aliasOf: { readonly resource: string; readonly subresource: string };
}

export type VirtualResource = ReviewResource | ReportResource | AliasResource;
