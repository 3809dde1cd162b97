// The paths of discovery. Documents are made again only if the registry has changed since the last request.
import { createHash } from 'node:crypto';
import { encodeJson, printYaml } from '@instar/machinery';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { ApiRequest, ApiResponse, Handler } from '../../wire/exchange.ts';
import { checkRoutable, negotiate, PLAIN, parseAccept } from '../../wire/negotiate.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import { respondBytes } from '../../wire/respond.ts';
import { pageNotFound, resourceNotFound } from '../../wire/responses.ts';
import type { RouteTable } from '../../wire/router.ts';
import { isTypedGroup } from '../typed-group.ts';
import { aggregatedDiscovery } from './aggregated.ts';
import { type DiscoveredGroup, discover } from './documents.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { registerDiscovery } from './messages.ts';

/** The documents of one state of the registry, each made when it is first requested. */
class Documents {
  readonly groups: DiscoveredGroup[];
  readonly #bytes = new Map<string, Buffer>();
  readonly #etags = new Map<Buffer, string>();

  constructor(registry: ResourceRegistry) {
    this.groups = discover(registry);
  }

  bytes(key: string, make: () => object): Buffer {
    let bytes = this.#bytes.get(key);
    if (bytes === undefined) this.#bytes.set(key, (bytes = Buffer.from(encodeJson(make()))));
    return bytes;
  }

  etag(bytes: Buffer): string {
    let etag = this.#etags.get(bytes);
    if (etag === undefined)
      this.#etags.set(bytes, (etag = `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"`));
    return etag;
  }
}

function latestDocuments(registry: ResourceRegistry): () => Documents {
  let documents: Documents | undefined;
  let revision = -1;
  return () => {
    if (documents === undefined || revision !== registry.revision) {
      documents = new Documents(registry);
      revision = registry.revision;
    }
    return documents;
  };
}

export function discoveryRoutes(registry: ResourceRegistry): RouteTable {
  registerDiscovery();
  const latest = latestDocuments(registry);
  const core = aggregatedOr(
    latest,
    'core',
    ({ groups }) => groups.filter(({ name }) => name === ''),
    legacyCore(latest),
  );
  const named = aggregatedOr(
    latest,
    'named',
    ({ groups }) => groups.filter(({ name }) => name !== ''),
    legacyGroups(latest),
  );
  const below: Handler = async (request) => oneGroupOrVersion(latest(), request, registry);
  return { '/api': core, '/api/': core, '/apis': named, '/apis/': named, '/api/*': below, '/apis/*': below };
}

/** For the list under "/". */
export function servedPaths(registry: ResourceRegistry): string[] {
  return discover(registry).flatMap(({ name, versions }) =>
    name === ''
      ? ['/api', ...versions.map(({ version }) => `/api/${version}`)]
      : [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)],
  );
}

const legacyCore =
  (latest: () => Documents): Handler =>
  async (request) => {
    checkRoutable(request, false);
    const host = request.headers[':authority'] ?? request.headers['host'];
    return respondBytes(
      200,
      Buffer.from(encodeJson(apiVersions(latest().groups, String(host ?? '')))),
      negotiate(request, PLAIN),
    );
  };

const legacyGroups =
  (latest: () => Documents): Handler =>
  async (request) => {
    const documents = latest();
    return respondBytes(
      200,
      documents.bytes('groups', () => apiGroupList(documents.groups)),
      negotiate(request, PLAIN),
    );
  };

function oneGroupOrVersion(
  documents: Documents,
  request: ApiRequest,
  registry: ResourceRegistry,
): ApiResponse {
  const [root, ...segments] = request.path.split('/').filter((segment) => segment !== '');
  const [name = '', version, ...rest] = root === 'api' ? ['', ...segments] : segments;
  const group = rest.length === 0 ? documents.groups.find((candidate) => candidate.name === name) : undefined;
  const found = group?.versions.find((candidate) => candidate.version === version);
  if (
    name !== '' &&
    group !== undefined &&
    version !== undefined &&
    found === undefined &&
    isTypedGroup(registry, name)
  )
    throw resourceNotFound();
  if (group === undefined || (version !== undefined && found === undefined)) return pageNotFound();
  if (found?.resources.some(({ isTyped }) => isTyped)) checkRoutable(request, false);
  const negotiated = negotiate(request, PLAIN);
  const bytes = documents.bytes(`${name}/${version ?? ''}`, () =>
    found === undefined ? apiGroup(group) : apiResourceList(name, found),
  );
  return respondBytes(200, bytes, negotiated);
}

type Select = (documents: Documents) => DiscoveredGroup[];

/**
 * The aggregated document for clients that prefer it, with an ETag so that an unchanged one need not be sent.
 */
function aggregatedOr(latest: () => Documents, key: string, select: Select, legacy: Handler): Handler {
  return async (request) => {
    const mediaType = aggregatedMediaType(request);
    if (mediaType === undefined) return legacy(request);
    const documents = latest();
    const bytes = documents.bytes(key, () => aggregatedDiscovery(select(documents)));
    const etag = documents.etag(bytes);
    const common = { etag, vary: 'Accept', 'cache-control': 'public' };
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: common, body: undefined };
    const contentType = `${mediaType};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
    const body = mediaType === 'application/json' ? bytes : Buffer.from(printYaml(parseOwnBytes(bytes)));
    return { status: 200, headers: { ...common, 'content-type': contentType }, body };
  };
}

/** The first media type that the client accepts for the aggregated document, whatever it prefers to it. */
function aggregatedMediaType(request: ApiRequest): 'application/json' | 'application/yaml' | undefined {
  for (const { type, parameters } of parseAccept(String(request.headers['accept'] ?? ''))) {
    const isAggregated =
      parameters.get('as') === 'APIGroupDiscoveryList' &&
      parameters.get('g') === 'apidiscovery.k8s.io' &&
      parameters.get('v') === 'v2';
    if (!isAggregated) continue;
    if (type === 'application/yaml') return type;
    if (type === 'application/json' || type === 'application/*' || type === '*/*') return 'application/json';
  }
  return undefined;
}
