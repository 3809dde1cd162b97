// Reads a RequestInfo off a method, a path and a query, by the rules of apiserver's RequestInfoFactory. Knows no resource by name,
// so `/api/v1/namespaces/x/anything` is a resource request whether or not such a resource exists.
import { ApiError } from '@instar/machinery';
import { NO_RESOURCE, type RequestInfo, type Verb } from './request-info.ts';

const VERB_OF_METHOD: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** What may follow /namespaces/{name}/ and still be about the namespace itself. */
const isNamespaceSubresource = (part: string): boolean => part === 'status' || part === 'finalize';

type Query = Pick<URLSearchParams, 'get' | 'has'>;

/** `query` is a function because most requests never need theirs parsed. */
export function parseRequestInfo(method: string, path: string, query: () => Query): RequestInfo {
  const parts = splitPath(path);
  const start = resourceStart(parts);
  if (start === undefined) return { ...NO_RESOURCE, nonResourceVerb: method.toLowerCase() };
  const group = start === 2 ? '' : parts[1]!;
  return resourceInfo(method, group, parts[start - 1]!, parts.slice(start), query);
}

function splitPath(path: string): string[] {
  const parts = path.split('/');
  let from = 0;
  let to = parts.length;
  while (from < to && parts[from] === '') from++;
  while (to > from && parts[to - 1] === '') to--;
  return parts.slice(from, to);
}

/** The index of the first segment after the version, or undefined when the path is not about a resource. */
function resourceStart(parts: readonly string[]): number | undefined {
  if (parts[0] === 'api') return parts.length >= 3 ? 2 : undefined;
  if (parts[0] === 'apis') return parts.length >= 4 ? 3 : undefined;
  return undefined;
}

function resourceInfo(method: string, group: string, version: string, segments: readonly string[], query: () => Query): RequestInfo {
  let verb: Verb = VERB_OF_METHOD.get(method) ?? '';
  let parts = segments;
  if (parts[0] === 'watch' || parts[0] === 'proxy') {
    if (parts.length < 2) throw unreadablePath();
    // `proxy` is a verb that nothing serves any more.
    verb = parts[0] === 'watch' ? 'watch' : '';
    parts = parts.slice(1);
  }
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1]!;
    if (parts.length > 2 && !isNamespaceSubresource(parts[2]!)) parts = parts.slice(2);
  }
  const nameInPath = parts[1] ?? '';
  return {
    isResourceRequest: true,
    verb: nameInPath === '' ? collectionVerb(verb, query) : verb,
    nonResourceVerb: '',
    group,
    version,
    namespace,
    resource: parts[0]!,
    subresource: parts[2] ?? '',
    name: nameInPath === '' && verb === 'get' ? nameInSelector(query().get('fieldSelector')) : nameInPath,
    rest: parts.length > 3 ? parts.slice(3) : NO_RESOURCE.rest,
  };
}

function collectionVerb(verb: Verb, query: () => Query): Verb {
  if (verb === 'delete') return 'deletecollection';
  if (verb !== 'get') return verb;
  return isTrue(query()) ? 'watch' : 'list';
}

/** A bare `?watch` is true, as every boolean parameter upstream. */
function isTrue(query: Query): boolean {
  const value = query.get('watch');
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

function nameInSelector(selector: string | null): string {
  if (selector === null || selector.includes('\\')) return '';
  for (const term of selector.split(',')) {
    const match = /^metadata\.name==?([^=!]*)$/.exec(term.trim());
    if (match !== null && isPathSegment(match[1]!)) return match[1]!;
  }
  return '';
}

const isPathSegment = (name: string): boolean => name !== '.' && name !== '..' && !/[/%]/.test(name);

function unreadablePath(): ApiError {
  return new ApiError({
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: unable to determine kind and namespace from url',
  });
}
