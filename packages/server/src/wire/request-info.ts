// What the method and the path of a request say: verb, group, version, resource, namespace, name,
// subresource.

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  /** For non-resource requests, `nonResourceVerb` is the lowercase HTTP method. */
  | '';

export interface RequestInfo {
  readonly isResourceRequest: boolean;
  readonly verb: Verb;
  /** For non-resource requests: the lowercase method. */
  readonly nonResourceVerb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /**
   * From the path; for list and watch also from a `metadata.name=` field selector, as upstream (authorization
   * uses it).
   */
  readonly name: string;
  /** Path segments after the subresource. */
  readonly rest: readonly string[];
}

/** The request info before the path is parsed. */
export const NO_RESOURCE: RequestInfo = {
  isResourceRequest: false,
  verb: '',
  nonResourceVerb: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  rest: [],
};
