// The paths of OpenAPI: /openapi/v2, and /openapi/v3 with a document for each group version.
import { encodeJson } from '@instar/machinery';
import { TimeSlice } from '../../objects/time-slice.ts';
import type { ApiRequest, ApiResponse, Handler } from '../../wire/exchange.ts';
import { parseAccept } from '../../wire/negotiate.ts';
import type { RouteTable } from '../../wire/router.ts';
import { Catalog } from './catalog.ts';
import type { DocumentV3 } from './document-v3.ts';
import type { PublishedRegistry } from './published-resource.ts';

const V3_ROOT = '/openapi/v3/';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export function openApiRoutes(registry: PublishedRegistry): RouteTable {
  const catalog = new Catalog(registry);
  const index: Handler = async () => indexOf(catalog);
  return {
    '/openapi/v2': (request) => wholeDocument(catalog, request),
    '/openapi/v3': index,
    [V3_ROOT]: index,
    [`${V3_ROOT}*`]: async (request) => oneDocument(catalog, request),
  };
}

/** Upstream sets no type for the index, and Go detects text/plain. */
async function indexOf(catalog: Catalog): Promise<ApiResponse> {
  const slice = new TimeSlice();
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const [path, document] of catalog.documents) {
    paths[path] = { serverRelativeURL: document.url };
    await slice.yieldIfOver();
  }
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(encodeJson({ paths })),
  };
}

function oneDocument(catalog: Catalog, request: ApiRequest): ApiResponse {
  const document = catalog.documents.get(request.path.slice(V3_ROOT.length));
  if (document === undefined) return { status: 404, headers: {}, body: undefined };
  const format = acceptedFormat(request, 'v3');
  if (format === undefined) return notAcceptable();
  const hash = request.query.get('hash') ?? '';
  if (hash !== '' && hash !== document.hash)
    return { status: 301, headers: { ...VARY, location: document.url }, body: undefined };
  const headers = { ...headersOf(format, 'v3', document.hash), ...(hash !== '' && cachedForever()) };
  return isUnmodified(request, document.hash)
    ? notModified(headers)
    : { status: 200, headers, body: bytesOf(document, format) };
}

const bytesOf = (document: DocumentV3, format: Format): Uint8Array =>
  format === 'json' ? document.json() : document.protobuf();

async function wholeDocument(catalog: Catalog, request: ApiRequest): Promise<ApiResponse> {
  const format = acceptedFormat(request, 'v2');
  if (format === undefined) return notAcceptable();
  const slice = new TimeSlice();
  const { whole } = catalog;
  const etag = await whole.etag(slice);
  const headers = headersOf(format, 'v2', etag);
  if (isUnmodified(request, etag)) return notModified(headers);
  return {
    status: 200,
    headers,
    body: await (format === 'json' ? whole.json(slice) : whole.protobuf(slice)),
  };
}

type Format = 'json' | 'protobuf';

const VARY = { vary: 'Accept' };

const notAcceptable = (): ApiResponse => ({ status: 406, headers: { ...VARY }, body: undefined });

function acceptedFormat(request: ApiRequest, version: 'v2' | 'v3'): Format | undefined {
  const header = request.headers['accept'];
  const accept = Array.isArray(header) ? header.join(',') : header;
  for (const { type } of parseAccept(accept || '*/*')) {
    if (type === 'application/json' || type === 'application/*' || type === '*/*') return 'json';
    if (type === protobufType(version, '.') || type === protobufType(version, '@')) return 'protobuf';
  }
  return undefined;
}

/** Clients request it with an @, which is invalid in a media type; the response uses a dot. */
const protobufType = (version: 'v2' | 'v3', separator: '.' | '@'): string =>
  `application/com.github.proto-openapi.spec.${version}${separator}v1.0+protobuf`;

function headersOf(format: Format, version: 'v2' | 'v3', etag: string): Record<string, string> {
  return {
    ...VARY,
    'content-type': format === 'json' ? 'application/json' : protobufType(version, '.'),
    etag: `"${etag}"`,
  };
}

/** The document of a URL with a hash never changes. */
const cachedForever = (): Record<string, string> => ({
  'cache-control': 'public, immutable',
  expires: new Date(Date.now() + YEAR_MS).toUTCString(),
});

function isUnmodified(request: ApiRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  const asked = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return asked.includes('*') || asked.includes(`"${etag}"`);
}

function notModified(headers: Record<string, string>): ApiResponse {
  const { 'content-type': _, ...others } = headers;
  return { status: 304, headers: others, body: undefined };
}
