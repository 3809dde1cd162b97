// Resources that are never stored: the answer is computed when somebody asks.
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

/** Only ever created: the answer is computed from the request (access reviews and their like). */
export interface ReviewResource extends VirtualNames {
  readonly verbs: readonly ['create'];
  /**
   * Given the decoded body, answers with the object that is sent with 201. Throws ApiError; every other
   * method is a 405.
   */
  create(request: ApiRequest, object: KubeObject): Promise<KubeObject>;
}

/** Only ever read: what the server knows of itself, as objects without namespaces. */
export interface ReportResource extends VirtualNames {
  readonly verbs: readonly ['get', 'list'];
  readonly columns: readonly TableColumn[];
  /** Undefined: there is none of that name. */
  get(name: string, query: URLSearchParams): Promise<KubeObject | undefined>;
  list(query: URLSearchParams): Promise<KubeObject[]>;
}

export type VirtualResource = ReviewResource | ReportResource;
