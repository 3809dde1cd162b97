// Content negotiation: Tables, metadata only, YAML, what is not acceptable, compression.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const noManaged = (o) => JSON.parse(JSON.stringify(o, (k, v) => (k === 'managedFields' ? undefined : v)));
/** Ages change by the second. */
const cells = (table) => table.rows.map((r) => r.cells.map((c) => (/^\d+[smhdy]/.test(c) ? '<age>' : c)));
const table = (b) => ({
  kind: b.kind,
  apiVersion: b.apiVersion,
  columns: b.columnDefinitions.map(
    (c) => `${c.name} (${c.type}${c.format ? ` ${c.format}` : ''}, ${c.priority})`,
  ),
  cells: cells(b),
});
const whole = (b) => noManaged({ ...b, rows: b.rows.map((r, i) => ({ ...r, cells: cells(b)[i] })) });

/** The body as it came, for the layout of JSON. */
const text = (t, path, headers) =>
  new Promise((resolve, reject) => {
    const { lib, agent, url, token } = t.client;
    lib
      .get(
        new URL(path, url),
        {
          agent,
          headers: {
            accept: 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (res) => {
          let all = '';
          res.on('data', (c) => {
            all += c;
          });
          res.on('end', () => resolve(all));
        },
      )
      .on('error', reject);
  });

export async function tables(t) {
  const group = 'verbs-table.conf.example.com';
  const ns = await t.namespace('conf-verbs-table');
  const spec = object({
    text: string,
    count: integer,
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    when: { type: 'string', format: 'date-time' },
    list: { type: 'array', items: integer },
    items: { type: 'array', items: object({ name: string }) },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    wide: string,
  });
  const columns = [
    { name: 'Text', type: 'string', jsonPath: '.spec.text', description: 'A text.' },
    { name: 'Count', type: 'integer', jsonPath: '.spec.count', format: 'int32' },
    { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio' },
    { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
    { name: 'When', type: 'date', jsonPath: '.spec.when' },
    { name: 'List', type: 'string', jsonPath: '.spec.list' },
    { name: 'First', type: 'string', jsonPath: '.spec.items[0].name' },
    { name: 'All', type: 'string', jsonPath: '.spec.items[*].name' },
    { name: 'Chosen', type: 'string', jsonPath: '.spec.items[?(@.name=="y")].name' },
    { name: 'Any', type: 'string', jsonPath: '.spec.any' },
    { name: 'Wide', type: 'string', jsonPath: '.spec.wide', priority: 1 },
    { name: 'Kind', type: 'string', jsonPath: '.kind' },
    { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Mismatch', type: 'integer', jsonPath: '.spec.text' },
  ];
  const schema = object({ spec });
  await t.crd(
    crd(group, 'Row', {
      versions: [
        { name: 'v1', schema, additionalPrinterColumns: columns },
        { name: 'v2', schema },
      ],
    }),
  );
  const url = resource(group, 'v1', 'rows', ns);
  await t.setup('POST', url, {
    body: custom(group, 'v1', 'Row', 'full', {
      spec: {
        text: 'x',
        count: 3,
        ratio: 1.5,
        on: true,
        when: '2999-01-01T00:00:00Z',
        list: [1, 2],
        items: [{ name: 'x' }, { name: 'y' }],
        any: { a: 1 },
        wide: 'w',
      },
    }),
  });
  await t.setup('POST', url, { body: custom(group, 'v1', 'Row', 'empty', { spec: {} }) });
  await t.setup('POST', url, {
    body: custom(group, 'v1', 'Row', 'odd', {
      spec: { text: '', count: 0, ratio: 2, on: false, when: '2001-02-03T04:05:06Z', list: [], any: 'plain' },
    }),
  });
  const get = (label, path, accept, pick = table) =>
    t.step(label, 'GET', path, { headers: { accept }, pick });

  await get('one object: the whole Table', `${url}/full`, TABLE, whole);
  await get('a list: columns and cells', url, TABLE);
  await get('the version without columns shows the age', resource(group, 'v2', 'rows', ns), TABLE, whole);
  await get('includeObject=None', `${url}?includeObject=None`, TABLE, (b) => b.rows.map((r) => r.object));
  await get('includeObject=Metadata', `${url}/odd?includeObject=Metadata`, TABLE, (b) =>
    noManaged(b.rows.map((r) => r.object)),
  );
  await get('includeObject=Object', `${url}/odd?includeObject=Object`, TABLE, (b) =>
    noManaged(b.rows.map((r) => r.object)),
  );
  await get('an unknown includeObject', `${url}?includeObject=Half`, TABLE);
  await get(
    'includeObject without a Table',
    `${url}/odd?includeObject=None`,
    'application/json',
    (b) => b.kind,
  );
  await get(
    'Table in v1beta1',
    `${url}/odd`,
    'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
    (b) => `${b.apiVersion} ${b.kind}`,
  );
  await get('Table of a version nobody knows', `${url}/odd`, 'application/json;as=Table;v=v9;g=meta.k8s.io');
  await get('Table of a group nobody knows', `${url}/odd`, 'application/json;as=Table;v=v1;g=example.com');
  await get(
    'what kubectl sends: Table or else JSON',
    `${url}/odd`,
    `${TABLE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`,
    (b) => b.kind,
  );
  await get('JSON or else Table', `${url}/odd`, `application/json,${TABLE}`, (b) => b.kind);
  await get('a Table of an object that does not exist', `${url}/nope`, TABLE);
  await get('an empty Table', `${url}?labelSelector=none`, TABLE, (b) => ({
    kind: b.kind,
    rows: b.rows,
    columns: b.columnDefinitions.length,
  }));
  await t.step('create as a Table', 'POST', url, {
    body: custom(group, 'v1', 'Row', 'made', { spec: { text: 'm' } }),
    headers: { accept: TABLE },
    pick: (b) => [b.kind, cells(b)[0].slice(0, 2)],
  });
  await t.step('delete as a Table', 'DELETE', `${url}/made`, {
    headers: { accept: TABLE },
    pick: (b) => ({
      kind: b.kind,
      columns: b.columnDefinitions?.length,
      status: b.status,
      cells: b.rows && cells(b),
    }),
  });
}

export async function metadataOnly(t) {
  const group = 'verbs-partial.conf.example.com';
  const ns = await t.namespace('conf-verbs-partial');
  await t.crd(crd(group, 'Thing', { versions: [{ name: 'v1' }] }));
  const url = resource(group, 'v1', 'things', ns);
  const make = (name) => ({
    ...custom(group, 'v1', 'Thing', name, { spec: { a: 1 } }),
    metadata: { name, labels: { app: name } },
  });
  await t.step('create, shown as metadata', 'POST', url, { body: make('a'), headers: { accept: PARTIAL } });
  await t.setup('POST', url, { body: make('b') });
  await t.step('get', 'GET', `${url}/a`, { headers: { accept: PARTIAL }, pick: noManaged });
  await t.step('list', 'GET', url, { headers: { accept: PARTIAL_LIST }, pick: noManaged });
  await t.step('list with the kind of one object', 'GET', url, {
    headers: { accept: PARTIAL },
    pick: noManaged,
  });
  await t.step('get with the kind of a list', 'GET', `${url}/a`, { headers: { accept: PARTIAL_LIST } });
  await t.step('list with a limit', 'GET', `${url}?limit=1`, {
    headers: { accept: PARTIAL_LIST },
    pick: (b) => ({ metadata: b.metadata, rows: [], items: b.items.map((i) => i.metadata.name) }),
  });
  await t.step('v1beta1', 'GET', `${url}/a`, {
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io' },
    pick: (b) => `${b.apiVersion} ${b.kind}`,
  });
  await t.step('patch', 'PATCH', `${url}/a`, {
    body: { metadata: { labels: { x: 'y' } } },
    type: 'application/merge-patch+json',
    headers: { accept: PARTIAL },
    pick: noManaged,
  });
  await t.step('the spec is still there', 'GET', `${url}/a`, { pick: (b) => b.spec });
  await t.step('list of an unknown kind', 'GET', url, {
    headers: { accept: 'application/json;as=Nothing;v=v1;g=meta.k8s.io' },
  });
  const yaml = await t.client.request('GET', `${url}/a`, {
    headers: { accept: 'application/yaml;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  });
  t.note('metadata as YAML', {
    status: yaml.status,
    type: yaml.headers['content-type'],
    start: String(yaml.body).split('\n').slice(0, 2),
  });
  const protobuf = await t.client.request('GET', `${url}/a`, {
    headers: { accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  });
  t.note('metadata as protobuf', {
    status: protobuf.status,
    type: protobuf.headers['content-type'],
    magic: String(protobuf.body).slice(0, 3),
  });
}

export async function acceptHeaders(t) {
  const group = 'verbs-accept.conf.example.com';
  const ns = await t.namespace('conf-verbs-accept');
  await t.crd(crd(group, 'Thing', { versions: [{ name: 'v1' }] }));
  const url = resource(group, 'v1', 'things', ns);
  await t.setup('POST', url, {
    body: custom(group, 'v1', 'Thing', 'a', { spec: { text: 'é "q"', n: 1, f: 1.5, list: [1], none: null } }),
  });
  const ask = async (label, accept, path = `${url}/a`, more = {}) => {
    const res = await t.client.request('GET', path, { headers: { accept, ...more } });
    const body =
      typeof res.body === 'string'
        ? res.body.split('\n').slice(0, 2)
        : res.body.kind === 'Status'
          ? res.body
          : res.body.kind;
    t.note(label, { status: res.status, type: res.headers['content-type'], body });
  };
  const accepts = [
    ['anything', '*/*'],
    ['any application type', 'application/*'],
    ['an empty Accept', ''],
    ['YAML', 'application/yaml'],
    ['YAML before JSON', 'application/yaml,application/json'],
    ['JSON by weight', 'application/yaml;q=0.5,application/json;q=0.9'],
    ['protobuf or else JSON', 'application/vnd.kubernetes.protobuf,application/json'],
    ['text', 'text/plain'],
    ['HTML or anything', 'text/html,*/*'],
    ['nonsense', 'nonsense'],
    ['JSON with a charset', 'application/json;charset=utf-8'],
    ['CBOR', 'application/cbor'],
    ['JSON stream', 'application/json;stream=watch'],
    ['an old YAML type', 'application/x-yaml'],
  ];
  for (const [label, accept] of accepts) await ask(label, accept);
  await ask('a list as YAML', 'application/yaml', url);
  await ask('an error as YAML', 'application/yaml', `${url}/nope`);
  await ask('an error that cannot be shown as text', 'text/plain', `${url}/nope`);
  await ask('discovery as text', 'text/plain', `/apis/${group}/v1`);
  t.note(
    'protobuf only',
    (
      await t.client.request('GET', `${url}/a`, {
        headers: { accept: 'application/vnd.kubernetes.protobuf' },
      })
    ).status,
  );
  const yaml = (label, rest) =>
    t.step(label, 'POST', url, {
      body: `apiVersion: ${group}/v1\nkind: Thing\n${rest}\n`,
      type: 'application/yaml',
      pick: (b) => b.spec,
    });
  await yaml(
    'a YAML body with a JSON answer',
    'metadata: {name: from-yaml}\nspec: {a: [1, "2", true, null], word: yes, octal: 010, float: 1e3, date: 2001-02-03}',
  );
  await yaml('y is a boolean in YAML', 'metadata: {name: y}');
  await yaml('two YAML documents', 'metadata: {name: two}\nspec: {a: 1}\n---\nspec: {a: 2}');

  await t.setup('POST', url, { body: custom(group, 'v1', 'Thing', 'p') });
  const lines = async (label, query, agent = 'conformance/1') =>
    t.note(
      label,
      (await text(t, `${url}/p${query}`, { 'user-agent': agent }))
        .trimEnd()
        .split('\n')
        .slice(0, 3)
        .map((l) => l.slice(0, 40)),
    );
  await lines('JSON is on one line by default', '');
  await lines('pretty=true', '?pretty=true');
  await lines('pretty=false for curl', '?pretty=false', 'curl/8.0');
  await lines('pretty by default for curl', '', 'curl/8.0');
}

export async function compression(t) {
  const group = 'verbs-gzip.conf.example.com';
  const ns = await t.namespace('conf-verbs-gzip');
  await t.crd(crd(group, 'Blob', { versions: [{ name: 'v1' }] }));
  const url = resource(group, 'v1', 'blobs', ns);
  const text = 'some words that repeat '.repeat(4000);
  for (const name of ['a', 'b', 'c'])
    await t.setup('POST', url, { body: custom(group, 'v1', 'Blob', name, { spec: { text } }) });
  await t.setup('POST', url, { body: custom(group, 'v1', 'Blob', 'small', { spec: { text: 'x' } }) });
  const ask = async (label, path, headers) => {
    const res = await t.client.request('GET', path, { headers });
    t.note(label, {
      status: res.status,
      encoding: res.headers['content-encoding'] ?? 'none',
      vary: res.headers.vary ?? 'none',
    });
  };
  await ask('a list over 128 KiB with gzip', url, { 'accept-encoding': 'gzip' });
  await ask('the same without gzip', url, {});
  await ask('the same with another encoding', url, { 'accept-encoding': 'br' });
  await ask('several encodings', url, { 'accept-encoding': 'br, gzip' });
  await ask('a small object with gzip', `${url}/small`, { 'accept-encoding': 'gzip' });
}
