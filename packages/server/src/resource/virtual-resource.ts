// A resource that is only ever created and never stored: the answer is computed from the request (access reviews and their like).
import type { KubeObject } from '@instar/machinery';
import type { ApiRequest } from '../http/exchange.ts';

export interface VirtualResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly ['create'];
  /** Given the decoded body, answers with the object that is sent with 201. Throws ApiError; every other method is a 405. */
  create(request: ApiRequest, object: KubeObject): Promise<KubeObject>;
}
