// Derives a RequestInfo from a method, a path and a query, by the rules of apiserver's RequestInfoFactory. It
// knows no resource by name, so `/api/v1/namespaces/x/anything` is a resource request whether or not such a
// resource exists.
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

/** What follows /namespaces/{name}/ if the request is for the namespace itself. */
const isNamespaceSubresource = (part: string): boolean => part === 'status' || part === 'finalize';

type Query = Pick<URLSearchParams, 'get' | 'has'>;

/** `query` is a function because for most requests it need not be parsed. */
export function parseRequestInfo(method: string, path: string, query: () => Query): RequestInfo {
  const parts = splitPath(path);
  const [root] = parts;
  if (root === 'api' && parts.length >= 3) return resourceInfo(method, '', parts[1]!, parts, 2, query);
  if (root === 'apis' && parts.length >= 4)
    return resourceInfo(method, parts[1]!, parts[2]!, parts, 3, query);
  return { ...NO_RESOURCE, nonResourceVerb: method.toLowerCase() };
}

/** Without the slashes at either end. */
function splitPath(path: string): string[] {
  const parts = path.split('/');
  while (parts.length > 0 && parts[0] === '') parts.shift();
  while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  return parts;
}

/** `from` is the index of the first segment after the version. */
function resourceInfo(
  method: string,
  group: string,
  version: string,
  parts: readonly string[],
  from: number,
  query: () => Query,
): RequestInfo {
  let verb: Verb = VERB_OF_METHOD.get(method) ?? '';
  let at = from;
  if (parts[at] === 'watch' || parts[at] === 'proxy') {
    if (parts.length < at + 2) throw unreadablePath();
    // `proxy` is a verb that is no longer served.
    verb = parts[at] === 'watch' ? 'watch' : '';
    at += 1;
  }
  let namespace = '';
  if (parts[at] === 'namespaces' && parts.length > at + 1) {
    namespace = parts[at + 1]!;
    if (parts.length > at + 2 && !isNamespaceSubresource(parts[at + 2]!)) at += 2;
  }
  const nameInPath = parts[at + 1] ?? '';
  return {
    isResourceRequest: true,
    verb: nameInPath === '' ? collectionVerb(verb, query) : verb,
    nonResourceVerb: '',
    group,
    version,
    namespace,
    resource: parts[at]!,
    subresource: parts[at + 2] ?? '',
    name: nameInPath === '' && verb === 'get' ? nameInSelector(query().get('fieldSelector')) : nameInPath,
    rest: parts.length > at + 3 ? parts.slice(at + 3) : NO_RESOURCE.rest,
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
