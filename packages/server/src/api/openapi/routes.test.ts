import type { StructType } from '@instar/kinds';
import type { JsonObject, JsonValue } from '@instar/machinery';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtinDefinitions } from '../../kinds/index.ts';
import type { ResourceDefinition } from '../../objects/definition.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { routePaths } from '../../wire/router.ts';
import type { PublishedRegistry } from './published-resource.ts';
import { openApiRoutes } from './routes.ts';

/** The definitions of the document, by name. */
class Definitions implements PublishedRegistry {
  revision = 0;
  readonly #definitions = new Map<string, ResourceDefinition>();

  all() {
    return [...this.#definitions.values()].map((definition) => ({ definition }));
  }

  virtual() {
    return [];
  }

  define(definition: ResourceDefinition): void {
    this.#definitions.set(`${definition.group}/${definition.names.plural}`, definition);
    this.revision++;
  }

  remove(group: string, plural: string): void {
    this.#definitions.delete(`${group}/${plural}`);
    this.revision++;
  }
}

let registry: Definitions;
let handle: ReturnType<typeof routePaths>;

beforeEach(() => {
  registry = new Definitions();
  for (const definition of builtinDefinitions) registry.define(definition);
  handle = routePaths(openApiRoutes(registry));
});

const get = (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  handle(requestWithoutSocket('GET', path, { headers }));

function bytesOf({ body }: ApiResponse): Buffer {
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.concat(body as Uint8Array[]);
}

const json = async (path: string): Promise<JsonObject> =>
  JSON.parse(bytesOf(await get(path)).toString()) as JsonObject;

const urls = async (): Promise<Record<string, string>> => {
  const { paths } = (await json('/openapi/v3')) as { paths: Record<string, { serverRelativeURL: string }> };
  return Object.fromEntries(
    Object.entries(paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]),
  );
};

const SCHEMA: JSONSchemaProps = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
};
const compiled = compileSchema(SCHEMA);

/** A definition as the custom ones are, with these versions served. */
function gadgets(versions: readonly string[], schema = compiled): ResourceDefinition {
  const template = builtinDefinitions[0]!;
  return {
    ...template,
    names: {
      plural: 'gadgets',
      singular: 'gadget',
      kind: 'Gadget',
      listKind: 'GadgetBag',
      shortNames: [],
      categories: [],
    },
    group: 'toys.example.com',
    storagePath: 'toys.example.com/gadgets/',
    storageApiVersion: 'toys.example.com/v1',
    typed: false,
    versions: ['v1', 'v2'].map((version) => ({
      group: 'toys.example.com',
      version,
      apiVersion: `toys.example.com/${version}`,
      served: versions.includes(version),
      deprecated: false,
      schema,
      statusSubresource: true,
      scaleSubresource: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
      columns: [],
      selectableFields: [{ name: 'spec.size', value: () => '' }],
    })),
  };
}

/** Every reference in the document, and its models. */
function references(value: JsonValue | undefined, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) references(item, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key === '$ref' && typeof member === 'string') found.add(member);
      else references(member, found);
    }
  }
  return found;
}

describe('the documents', () => {
  it('describe metadata in the words that conformance tests look for', async () => {
    registry.define(gadgets(['v1']));
    const url = (await urls())['apis/toys.example.com/v1']!;
    const { components } = (await json(url)) as unknown as {
      components: { schemas: Record<string, { properties: Record<string, { description: string }> }> };
    };
    const { properties } = components.schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']!;
    expect(properties['creationTimestamp']!.description).toMatch(/^CreationTimestamp is a timestamp /);
  });

  it('reference only models that they contain', async () => {
    registry.define(gadgets(['v1', 'v2']));
    for (const url of Object.values(await urls())) {
      const document = (await json(url)) as { components: { schemas: JsonObject } };
      const missing = [...references(document)].filter(
        (name) => !Object.hasOwn(document.components.schemas, name.replace('#/components/schemas/', '')),
      );
      expect([url, missing]).toEqual([url, []]);
    }
    const whole = (await json('/openapi/v2')) as { definitions: JsonObject; parameters: JsonObject };
    const known = [
      ...Object.keys(whole.definitions).map((name) => `#/definitions/${name}`),
      ...Object.keys(whole.parameters).map((name) => `#/parameters/${name}`),
    ];
    expect([...references(whole)].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('give each operation a unique identifier', async () => {
    registry.define(gadgets(['v1', 'v2']));
    const { paths } = (await json('/openapi/v2')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(ids).toContain('listCoreV1NamespacedConfigMap');
    expect(ids).toContain('deleteRbacAuthorizationV1CollectionClusterRole');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describe built-in kinds by their Go types', async () => {
    const { components } = (await json('/openapi/v3/api/v1')) as {
      components: { schemas: Record<string, { properties: JsonObject }> };
    };
    const service = components.schemas['io.k8s.api.core.v1.Service']!;
    expect(service.properties['spec']).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.ServiceSpec' }],
    });
    expect(components.schemas['io.k8s.api.core.v1.ServiceSpec']!.properties['ports']).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/io.k8s.api.core.v1.ServicePort' },
      'x-kubernetes-patch-merge-key': 'port',
    });
  });

  it('list the parameters that all operations of a path share once', async () => {
    registry.define(gadgets(['v1']));
    const { paths } = (await json('/openapi/v3/apis/toys.example.com/v1')) as {
      paths: Record<string, Record<string, JsonObject>>;
    };
    const one = paths['/apis/toys.example.com/v1/namespaces/{namespace}/gadgets/{name}']!;
    const names = (parameters: JsonValue | undefined) =>
      (parameters as { name: string }[]).map(({ name }) => name);
    expect(names(one['parameters'])).toEqual(['name', 'namespace', 'pretty']);
    expect(names(one['patch']!['parameters'])).toEqual([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
    ]);
  });
});

/** Every struct below a type, with the name of the group that it is published for. */
function structsOf(type: unknown, found: Set<StructType>): void {
  const { kind, fields, items, values, options } = type as StructType & {
    items?: unknown;
    values?: unknown;
    options?: unknown[];
  };
  if (kind === 'struct') {
    if (found.has(type as StructType)) return;
    found.add(type as StructType);
    for (const { type: inner } of fields.values()) structsOf(inner, found);
  }
  for (const inner of [items, values, ...(options ?? [])]) if (inner !== undefined) structsOf(inner, found);
}

it('no two types of a group have the same name', () => {
  const byGroup = new Map<string, Set<StructType>>();
  for (const { versions } of builtinDefinitions) {
    for (const { group, goType } of versions) {
      const found = byGroup.get(group) ?? new Set();
      byGroup.set(group, found);
      structsOf(goType, found);
    }
  }
  for (const [group, structs] of byGroup) {
    const names = [...structs].map(({ name }) => name);
    expect([group, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([group, []]);
  }
});

describe('a custom kind', () => {
  const path = 'apis/toys.example.com/v1';

  it('is published, updated and removed with its definition', async () => {
    expect(Object.keys(await urls())).not.toContain(path);
    registry.define(gadgets(['v1']));
    const first = await urls();
    expect(first[path]).toMatch(/^\/openapi\/v3\/apis\/toys\.example\.com\/v1\?hash=[0-9A-F]{128}$/);
    registry.define(gadgets(['v1', 'v2']));
    const both = await urls();
    expect(both[path]).toBe(first[path]);
    expect(both['apis/toys.example.com/v2']).toBeDefined();
    registry.define(gadgets(['v2']));
    expect(Object.keys(await urls())).not.toContain(path);
    expect(Object.keys((await json('/openapi/v2'))['definitions'] as JsonObject)).toEqual(
      expect.not.arrayContaining(['com.example.toys.v1.Gadget']),
    );
    registry.remove('toys.example.com', 'gadgets');
    expect((await get('/openapi/v3/apis/toys.example.com/v2')).status).toBe(404);
  });

  it('has another hash with another schema', async () => {
    registry.define(gadgets(['v1']));
    const before = (await urls())[path];
    registry.define(gadgets(['v1'], compileSchema({ ...SCHEMA, description: 'A toy.' })));
    expect((await urls())[path]).not.toBe(before);
  });

  it('is named by its reversed group, with its selectable fields', async () => {
    registry.define(gadgets(['v1']));
    const { components } = (await json(`/openapi/v3/${path}`)) as {
      components: { schemas: Record<string, JsonObject> };
    };
    expect(components.schemas['com.example.toys.v1.Gadget']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'toys.example.com', version: 'v1', kind: 'Gadget' }],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.size' }],
    });
    expect(components.schemas['com.example.toys.v1.GadgetBag']).toMatchObject({
      description: 'GadgetBag is a list of Gadget',
    });
    expect(components.schemas['io.k8s.api.autoscaling.v1.Scale']).toBeDefined();
  });
});

describe('requests', () => {
  const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const PROTOBUF_V3 = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

  it('with the current hash may be cached forever', async () => {
    const url = (await urls())['api/v1']!;
    const { status, headers } = await get(url);
    expect([status, headers['cache-control'], headers['vary']]).toEqual([200, 'public, immutable', 'Accept']);
    expect(headers['etag']).toBe(`"${url.split('=')[1]}"`);
    expect((await get('/openapi/v3/api/v1')).headers).not.toHaveProperty('cache-control');
  });

  it('with another hash are redirected to the current one', async () => {
    const { status, headers } = await get('/openapi/v3/api/v1?hash=OLD');
    expect([status, headers['location']]).toEqual([301, (await urls())['api/v1']]);
  });

  it('for an unchanged document are answered with 304', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3/api/v1']) {
      const etag = String((await get(path)).headers['etag']);
      const { status, body } = await get(path, { 'if-none-match': `"other", W/${etag}` });
      expect([status, body]).toEqual([304, undefined]);
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  it('are answered in JSON or protobuf', async () => {
    const type = async (path: string, accept: string) =>
      (await get(path, { accept })).headers['content-type'];
    expect(await type('/openapi/v2', `${PROTOBUF_V2}`)).toBe(
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    );
    expect(await type('/openapi/v3/api/v1', PROTOBUF_V3)).toBe(
      'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
    );
    expect(await type('/openapi/v2', 'application/json, */*')).toBe('application/json');
    expect(await type('/openapi/v3/api/v1', '')).toBe('application/json');
    expect((await get('/openapi/v2', { accept: 'text/html' })).status).toBe(406);
    expect((await get('/openapi/v3/api/v1', { accept: PROTOBUF_V2 })).status).toBe(406);
  });

  it('for versions that do not exist are answered with 404', async () => {
    expect(await get('/openapi/v3/apis/toys.example.com/v9')).toMatchObject({ status: 404, body: undefined });
  });
});
