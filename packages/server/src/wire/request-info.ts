// What a request is about, read off its method and path alone: verb, group, version, resource, namespace,
// name, subresource.

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  /** Lower-case HTTP method of a request that is not about a resource is reported as `nonResourceVerb`. */
  | '';

export interface RequestInfo {
  readonly isResourceRequest: boolean;
  readonly verb: Verb;
  /** For non-resource requests: the lower-case method. */
  readonly nonResourceVerb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /**
   * From the path; for list and watch also from a `metadata.name=` field selector, as upstream has it
   * (authorization looks at it).
   */
  readonly name: string;
  /** Path segments after the subresource. */
  readonly rest: readonly string[];
}

/** What a request is taken to be about until its path has been read. */
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
