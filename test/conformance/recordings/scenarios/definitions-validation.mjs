// What a definition must look like: one fault a step, so that the order of causes never matters.
// With a single version (or several that agree) the causes name spec.validation, spec.subresources and so on,
// although the request had them under spec.versions[0]; only versions that differ are named by index.
import { CRDS, crd, integer, object, string } from '../lib/fixtures.mjs';

/**
 * Posts a definition. What a server accepts is removed again, so that the cases stay independent of each
 * other.
 */
async function post(t, label, def, { query = '', pick = (b) => b.spec } = {}) {
  const body = await t.step(label, 'POST', CRDS + query, { body: def, pick });
  if (body?.kind === 'CustomResourceDefinition') await remove(t, body.metadata.name);
}

async function remove(t, name) {
  await t.client.request('DELETE', `${CRDS}/${name}`);
  await t.until(
    `${name} to be gone`,
    async () => (await t.client.request('GET', `${CRDS}/${name}`)).status === 404,
  );
}

/**
 * For a fault that has several causes, or one whose message quotes half the definition: which fields, in a
 * fixed order.
 */
async function causes(t, label, def) {
  const { status, body } = await t.client.request('POST', CRDS, { body: def });
  if (status < 300) await remove(t, body.metadata.name);
  t.note(label, {
    status,
    reason: body.reason,
    causes: [...new Set(body.details?.causes?.map((c) => `${c.reason} ${c.field}`))].sort(),
  });
}

/** Spoils a good definition in one way for each [label, spoil(spec, definition)]. */
async function spoilt(t, good, cases, how = post) {
  for (const [label, spoil] of cases) {
    const def = structuredClone(good());
    spoil(def.spec, def);
    await how(t, label, def);
  }
}

/** Tries each root schema of [label, schema] in an otherwise good definition. */
async function roots(t, group, cases, how = post) {
  for (const [label, schema] of cases)
    await how(t, label, crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }));
}

/** The same with each schema at spec.value. */
const values = (t, group, cases, how) =>
  roots(
    t,
    group,
    cases.map(([label, value]) => [label, object({ spec: object({ value }) })]),
    how,
  );

const yaml = (group) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${group}}
spec:
  group: ${group}
  scope: Cluster
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`;

export async function requests(t) {
  const group = 'definitions-requests.conf.example.com';
  const good = () => crd(group, 'Widget');
  const text = JSON.stringify(good());
  await post(t, 'a body of another API version', { ...good(), apiVersion: 'apiextensions.k8s.io/v1beta1' });
  await post(t, 'a body of another kind', { ...good(), kind: 'CustomResource' });
  await causes(t, 'no spec at all', { ...good(), spec: undefined });
  await post(t, 'a body that is not JSON', text.slice(0, -1));
  await post(t, 'an empty body', '');
  await post(t, 'a body that is a list', `[${text}]`);
  await t.step(
    'the version that is no longer served',
    'GET',
    '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions',
  );
  await t.step('an unknown media type', 'POST', CRDS, { body: text, type: 'text/plain' });
  await t.step('a YAML body', 'POST', `${CRDS}?dryRun=All`, {
    body: yaml(group),
    type: 'application/yaml',
    pick: (b) => b.spec,
  });
  await spoilt(t, good, [
    [
      'versions is not a list',
      (s) => {
        s.versions = { name: 'v1' };
      },
    ],
    [
      'served is not a boolean',
      (s) => {
        s.versions[0].served = 'yes';
      },
    ],
    [
      'minimum is not a number',
      (s) => {
        s.versions[0].schema.openAPIV3Schema.minimum = '1';
      },
    ],
    [
      'exclusiveMinimum is a number, as in later JSON Schema drafts',
      (s) => {
        s.versions[0].schema.openAPIV3Schema.exclusiveMinimum = 1;
      },
    ],
    [
      'type is a list, as in JSON Schema',
      (s) => {
        s.versions[0].schema.openAPIV3Schema.type = ['object', 'null'];
      },
    ],
    [
      'a name that is a number',
      (_s, d) => {
        d.metadata.name = 7;
      },
    ],
    [
      'a CA bundle that is not base64',
      (s) => {
        s.conversion = {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: 'https://example.com/', caBundle: '***' },
          },
        };
      },
    ],
  ]);
  const unknown = structuredClone(good());
  unknown.spec.versions[0].schema.openAPIV3Schema.readOnly = true;
  unknown.spec.colour = 'red';
  await post(t, 'unknown fields are dropped with a warning', unknown, { query: '?dryRun=All' });
  await post(t, 'unknown fields under fieldValidation=Ignore', unknown, {
    query: '?dryRun=All&fieldValidation=Ignore',
  });
  await post(t, 'unknown fields under fieldValidation=Strict', unknown, { query: '?fieldValidation=Strict' });
  await post(
    t,
    'a field given twice under fieldValidation=Strict',
    text.replace('"scope":', '"scope":"Cluster","scope":'),
    { query: '?fieldValidation=Strict' },
  );
  await post(t, 'an unknown fieldValidation', good(), { query: '?fieldValidation=Sometimes' });
  await post(t, 'an unknown dryRun', good(), { query: '?dryRun=Some' });
}

export async function names(t) {
  const group = 'definitions-names.conf.example.com';
  const good = () => crd(group, 'Widget');
  await spoilt(t, good, [
    [
      'no name',
      (_s, d) => {
        delete d.metadata.name;
      },
    ],
    [
      'a name that is not plural.group',
      (_s, d) => {
        d.metadata.name = `widget.${group}`;
      },
    ],
    [
      'a resourceVersion',
      (_s, d) => {
        d.metadata.resourceVersion = '1';
      },
    ],
    [
      'a label value with a space',
      (_s, d) => {
        d.metadata.labels = { tier: 'not a value' };
      },
    ],
    [
      'a label value of 64 characters',
      (_s, d) => {
        d.metadata.labels = { a: 'x'.repeat(64) };
      },
    ],
    [
      'an annotation key with two slashes',
      (_s, d) => {
        d.metadata.annotations = { 'a/b/c': '' };
      },
    ],
    [
      'a finalizer that ends in an underscore',
      (_s, d) => {
        d.metadata.finalizers = ['conf.example.com/hold_'];
      },
    ],
    [
      'a group without a dot',
      (s, d) => {
        s.group = 'conf';
        d.metadata.name = 'widgets.conf';
      },
    ],
    [
      'a plural that starts with a digit',
      (s, d) => {
        s.names.plural = '1widgets';
        d.metadata.name = `1widgets.${group}`;
      },
    ],
    [
      'a plural with a dot',
      (s, d) => {
        s.names.plural = 'wid.gets';
        d.metadata.name = `wid.gets.${group}`;
      },
    ],
    [
      'a plural of 64 characters',
      (s, d) => {
        s.names.plural = 'w'.repeat(64);
        d.metadata.name = `${s.names.plural}.${group}`;
      },
    ],
    [
      'a singular with capitals',
      (s) => {
        s.names.singular = 'Widget';
      },
    ],
    [
      'a singular with a dot',
      (s) => {
        s.names.singular = 'wid.get';
      },
    ],
    [
      'no kind',
      (s) => {
        delete s.names.kind;
      },
    ],
    [
      'a kind with a space',
      (s) => {
        s.names.kind = 'Big Widget';
      },
    ],
    [
      'a kind with an underscore',
      (s) => {
        s.names.kind = 'Big_Widget';
      },
    ],
    [
      'a kind with a slash',
      (s) => {
        s.names.kind = 'v1/Widget';
      },
    ],
    [
      'a kind that starts with a digit',
      (s) => {
        s.names.kind = '3Widget';
      },
    ],
    [
      'a listKind with a dot',
      (s) => {
        s.names.listKind = 'Widget.List';
      },
    ],
    [
      'kind and listKind the same',
      (s) => {
        s.names.listKind = 'Widget';
      },
    ],
    [
      'a short name with capitals',
      (s) => {
        s.names.shortNames = ['wd', 'WG'];
      },
    ],
    [
      'an empty short name',
      (s) => {
        s.names.shortNames = [''];
      },
    ],
    [
      'a category with an underscore',
      (s) => {
        s.names.categories = ['all', 'my_things'];
      },
    ],
    [
      'an empty category',
      (s) => {
        s.names.categories = ['all', ''];
      },
    ],
    [
      'no scope',
      (s) => {
        delete s.scope;
      },
    ],
    [
      'a scope in small letters',
      (s) => {
        s.scope = 'namespaced';
      },
    ],
    [
      'an unknown scope',
      (s) => {
        s.scope = 'Global';
      },
    ],
  ]);
  await spoilt(
    t,
    good,
    [
      [
        'a generated name',
        (_s, d) => {
          d.metadata = { generateName: 'widgets-' };
        },
      ],
      [
        'no group',
        (s, d) => {
          delete s.group;
          d.metadata.name = 'widgets.';
        },
      ],
      [
        'a group with capitals',
        (s, d) => {
          s.group = 'Conf.example.com';
          d.metadata.name = 'widgets.Conf.example.com';
        },
      ],
      [
        'no plural',
        (s, _d) => {
          delete s.names.plural;
        },
      ],
      [
        'no names at all',
        (s) => {
          delete s.names;
        },
      ],
    ],
    causes,
  );
}

export async function approval(t) {
  const group = 'definitions-approval.k8s.io';
  const key = 'api-approved.kubernetes.io';
  const annotated = (value, g = group) => {
    const def = crd(g, 'Widget');
    if (value !== undefined) def.metadata.annotations = { [key]: value };
    return def;
  };
  await post(t, 'a k8s.io group without an approval', annotated());
  await post(t, 'an empty approval', annotated(''));
  await post(t, 'an approval that is neither a URL nor says unapproved', annotated('yes'));
  await post(
    t,
    'a kubernetes.io group without an approval',
    annotated(undefined, 'definitions-approval.kubernetes.io'),
  );
  const accept = { query: '?dryRun=All', pick: (b) => b.metadata.annotations ?? null };
  await post(
    t,
    'an approval with a URL',
    annotated('https://github.com/kubernetes/enhancements/pull/1111'),
    accept,
  );
  await post(t, 'an approval that says unapproved', annotated('unapproved, an experiment'), accept);
  await post(
    t,
    'a group that only ends in the same letters',
    annotated(undefined, 'definitions-approvalk8s.io'),
    accept,
  );
}

export async function versions(t) {
  const group = 'definitions-versions.conf.example.com';
  const good = () => crd(group, 'Widget');
  const extra = (v) => ({
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: object({ spec: object({}) }) },
    ...v,
  });
  await spoilt(t, good, [
    [
      'a version name with capitals',
      (s) => {
        s.versions.push(extra({ name: 'V2' }));
      },
    ],
    [
      'a version name with a dot',
      (s) => {
        s.versions.push(extra({ name: 'v1.1' }));
      },
    ],
    [
      'a version name that starts with a digit',
      (s) => {
        s.versions.push(extra({ name: '2' }));
      },
    ],
    [
      'a version name of 64 characters',
      (s) => {
        s.versions.push(extra({ name: 'v'.repeat(64) }));
      },
    ],
    [
      'a version without a name',
      (s) => {
        delete s.versions[0].name;
      },
    ],
    [
      'a version without a schema',
      (s) => {
        delete s.versions[0].schema;
      },
    ],
    [
      'a version with an empty schema',
      (s) => {
        s.versions[0].schema = {};
      },
    ],
    [
      'a second version without a schema',
      (s) => {
        s.versions.push(extra({ schema: undefined }));
      },
    ],
    [
      'a version that is not served without a schema',
      (s) => {
        s.versions.push(extra({ served: false, schema: undefined }));
      },
    ],
    [
      'a deprecation warning on a version that is not deprecated',
      (s) => {
        s.versions[0].deprecationWarning = 'use v2';
      },
    ],
    [
      'an empty deprecation warning',
      (s) => {
        Object.assign(s.versions[0], { deprecated: true, deprecationWarning: '' });
      },
    ],
    [
      'a deprecation warning of 257 characters',
      (s) => {
        Object.assign(s.versions[0], { deprecated: true, deprecationWarning: 'x'.repeat(257) });
      },
    ],
    [
      'a deprecation warning with a line break',
      (s) => {
        Object.assign(s.versions[0], { deprecated: true, deprecationWarning: 'use\nv2' });
      },
    ],
    [
      'preserveUnknownFields, as in v1beta1',
      (s) => {
        s.preserveUnknownFields = true;
      },
    ],
    [
      'a fault in the second of two versions that differ',
      (s) => {
        s.versions.push(extra({ schema: { openAPIV3Schema: object({ spec: {} }) } }));
      },
    ],
    [
      'the same fault in two versions that agree',
      (s) => {
        s.versions = ['v1', 'v2'].map((name) =>
          extra({ name, storage: name === 'v1', schema: { openAPIV3Schema: object({ spec: {} }) } }),
        );
      },
    ],
  ]);
  await spoilt(
    t,
    good,
    [
      [
        'the same version twice',
        (s) => {
          s.versions.push(extra({ name: 'v1' }));
        },
      ],
      [
        'a name with capitals for the first version',
        (s) => {
          s.versions[0].name = 'V1';
        },
      ],
      [
        'no versions',
        (s) => {
          delete s.versions;
        },
      ],
      [
        'an empty list of versions',
        (s) => {
          s.versions = [];
        },
      ],
      [
        'no storage version',
        (s) => {
          s.versions[0].storage = false;
        },
      ],
      [
        'two storage versions',
        (s) => {
          s.versions.push(extra({ storage: true }));
        },
      ],
    ],
    causes,
  );
}

export async function structural(t) {
  const group = 'definitions-structural.conf.example.com';
  await roots(t, group, [
    ['no type at the root', { properties: { spec: object({}) } }],
    ['an empty root', {}],
    ['a list at the root', { type: 'array', items: string }],
    ['a nullable root', { type: 'object', nullable: true }],
    ['additionalProperties at the root', { type: 'object', additionalProperties: string }],
    ['metadata with labels', object({ metadata: object({ labels: object({}) }) })],
    ['metadata that is a string', object({ metadata: string })],
    ['kind that is an integer', object({ kind: integer })],
    ['apiVersion that is a boolean', object({ apiVersion: { type: 'boolean' } })],
    [
      'a property of anyOf at the root that the structure does not have',
      object({ a: string }, { anyOf: [{ properties: { b: { minLength: 1 } } }] }),
    ],
  ]);
  await roots(
    t,
    group,
    [
      [
        'metadata inside anyOf',
        { type: 'object', anyOf: [{ properties: { metadata: { required: ['name'] } } }] },
      ],
    ],
    causes,
  );
  await values(t, group, [
    ['a field without a type', { description: 'anything' }],
    ['an unknown type', { type: 'float' }],
    ['a list without items', { type: 'array' }],
    ['items without a type', { type: 'array', items: {} }],
    ['items as a list of schemas', { type: 'array', items: [string, integer] }],
    [
      'properties together with additionalProperties',
      object({ a: string }, { additionalProperties: string }),
    ],
    [
      'properties together with additionalProperties: false',
      object({ a: string }, { additionalProperties: false }),
    ],
    ['additionalProperties without a type', { type: 'object', additionalProperties: {} }],
    ['items without a type in items', { type: 'array', items: { type: 'array', items: {} } }],
    [
      'additionalProperties without a type in additionalProperties',
      { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
    ],
    ['id', { type: 'string', id: 'x' }],
    ['$schema', { type: 'string', $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['$ref', { type: 'object', $ref: '#/definitions/x' }],
    ['$ref in items', { type: 'array', items: { type: 'string', $ref: '#/x' } }],
    ['$ref inside not', { type: 'string', not: { $ref: '#/x' } }],
    ['patternProperties', { type: 'object', patternProperties: { '^x': string } }],
    ['definitions', { type: 'object', definitions: { x: string } }],
    ['dependencies', { type: 'object', dependencies: { a: ['b'] } }],
    ['additionalItems', { type: 'array', items: string, additionalItems: false }],
    ['uniqueItems', { type: 'array', items: string, uniqueItems: true }],
    ['a pattern that does not compile', { type: 'string', pattern: '^(a' }],
    ['a pattern with a look-ahead', { type: 'string', pattern: '^(?!kube-).*$' }],
    ['uniqueItems inside anyOf', { type: 'array', items: string, anyOf: [{ uniqueItems: true }] }],
    ['a pattern with a back-reference', { type: 'string', pattern: '(a)\\1' }],
    [
      'a pattern in items that does not compile',
      { type: 'array', items: { type: 'string', pattern: '[z-a]' } },
    ],
    ['type inside allOf', { type: 'string', allOf: [{ type: 'string' }] }],
    ['type inside not', { type: 'string', not: { type: 'string' } }],
    ['a type inside a property of oneOf', object({ a: string }, { oneOf: [{ properties: { a: string } }] })],
    ['type inside allOf inside anyOf', { type: 'string', anyOf: [{ allOf: [{ type: 'string' }] }] }],
    ['type inside items of anyOf', { type: 'array', items: string, anyOf: [{ items: string }] }],
    ['description inside anyOf', { type: 'string', anyOf: [{ description: 'x', minLength: 1 }] }],
    ['title inside oneOf', { type: 'string', oneOf: [{ title: 'x', minLength: 1 }] }],
    ['default inside allOf', { type: 'string', allOf: [{ default: 'x' }] }],
    ['nullable inside not', { type: 'string', not: { nullable: true } }],
    ['title inside not', { type: 'string', not: { title: 'x' } }],
    ['nullable inside anyOf', { type: 'string', anyOf: [{ nullable: true }] }],
    [
      'an embedded resource inside oneOf',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        oneOf: [{ 'x-kubernetes-embedded-resource': true }],
      },
    ],
    ['rules inside oneOf', { type: 'string', oneOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] }],
    [
      'additionalProperties inside allOf',
      { type: 'object', additionalProperties: string, allOf: [{ additionalProperties: { minLength: 1 } }] },
    ],
    [
      'x-kubernetes-preserve-unknown-fields inside anyOf',
      { type: 'object', anyOf: [{ 'x-kubernetes-preserve-unknown-fields': true }] },
    ],
    [
      'x-kubernetes-validations inside allOf',
      { type: 'string', allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] },
    ],
  ]);
}

export async function extensions(t) {
  const group = 'definitions-extensions.conf.example.com';
  const list = (type, items, rest = {}) => ({
    type: 'array',
    items,
    'x-kubernetes-list-type': type,
    ...rest,
  });
  const keyed = (keys, item) => list('map', item, { 'x-kubernetes-list-map-keys': keys });
  const pair = object({ key: string, value: string }, { required: ['key'] });
  await values(t, group, [
    [
      'int-or-string with preserved unknown fields',
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'the anyOf of int-or-string without the extension',
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    ['an embedded resource without properties', { type: 'object', 'x-kubernetes-embedded-resource': true }],
    [
      'an embedded resource without a type',
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'an embedded resource that is a string',
      {
        type: 'string',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    [
      'an embedded resource with additionalProperties',
      {
        type: 'object',
        additionalProperties: string,
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    [
      'an embedded resource with a kind that is an integer',
      object({ kind: integer }, { 'x-kubernetes-embedded-resource': true }),
    ],
    [
      'an embedded resource inside the metadata of another',
      object(
        { metadata: object({ x: { ...object({ a: string }), 'x-kubernetes-embedded-resource': true } }) },
        { 'x-kubernetes-embedded-resource': true },
      ),
    ],
    [
      'x-kubernetes-preserve-unknown-fields: false',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    ],
    ['a list type on an object', { type: 'object', 'x-kubernetes-list-type': 'atomic' }],
    ['a list type on a string', { type: 'string', 'x-kubernetes-list-type': 'set' }],
    ['an unknown list type', list('bag', string)],
    ['a set of objects', list('set', object({ a: string }))],
    [
      'a set of granular objects',
      list('set', object({ a: string }, { 'x-kubernetes-map-type': 'granular' })),
    ],
    ['a set of sets', list('set', list('set', string))],
    ['a set of nullable items', list('set', { ...string, nullable: true })],
    ['a map list without keys', list('map', pair)],
    ['keys without a list type', { type: 'array', items: pair, 'x-kubernetes-list-map-keys': ['key'] }],
    [
      'keys on a set',
      list('set', { ...pair, 'x-kubernetes-map-type': 'atomic' }, { 'x-kubernetes-list-map-keys': ['key'] }),
    ],
    [
      'keys on an atomic list',
      list('atomic', object({ k: string }, { required: ['k'] }), { 'x-kubernetes-list-map-keys': ['k'] }),
    ],
    ['a map list of strings', keyed(['key'], string)],
    ['a key that is not a property', keyed(['name'], pair)],
    ['the same key twice', keyed(['key', 'key'], pair)],
    ['a key that is an object', keyed(['key'], object({ key: object({}) }, { required: ['key'] }))],
    [
      'a key that is a list',
      keyed(['k'], object({ k: { type: 'array', items: string } }, { required: ['k'] })),
    ],
    ['a key that is neither required nor defaulted', keyed(['key'], object({ key: string }))],
    ['a nullable key', keyed(['key'], object({ key: { ...string, nullable: true } }, { required: ['key'] }))],
    ['a map list of nullable items', keyed(['key'], { ...pair, nullable: true })],
    ['a map type on a string', { type: 'string', 'x-kubernetes-map-type': 'atomic' }],
    ['a map type on a list', { type: 'array', items: string, 'x-kubernetes-map-type': 'granular' }],
    ['an unknown map type', { type: 'object', 'x-kubernetes-map-type': 'loose' }],
    ['int-or-string inside oneOf', { type: 'object', oneOf: [{ 'x-kubernetes-int-or-string': true }] }],
  ]);
  await values(
    t,
    group,
    [
      [
        'an anyOf with types that is not the int-or-string one',
        { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      ],
      [
        'a list type inside anyOf',
        { type: 'array', items: string, anyOf: [{ 'x-kubernetes-list-type': 'set' }] },
      ],
    ],
    causes,
  );
}

export async function defaults(t) {
  const group = 'definitions-defaults.conf.example.com';
  await values(t, group, [
    ['a default of another type', { type: 'string', default: 3 }],
    ['an object as default of a string', { type: 'string', default: {} }],
    ['a default below the minimum', { type: 'integer', minimum: 5, default: 3 }],
    ['a default that is too long', { type: 'string', maxLength: 2, default: 'abc' }],
    ['a default that is no multiple', { type: 'integer', multipleOf: 5, default: 7 }],
    ['a default with too many items', { type: 'array', items: string, maxItems: 1, default: ['a', 'b'] }],
    ['a default with null where it may not be', { type: 'array', items: string, default: [null] }],
    ['a default outside the enum', { type: 'string', enum: ['a', 'b'], default: 'c' }],
    ['a default against the pattern', { type: 'string', pattern: '^a', default: 'b' }],
    ['a default against the format', { type: 'string', format: 'ipv4', default: '1.2.3' }],
    ['a default with an unknown field', object({ a: string }, { default: { a: 'x', b: 'y' } })],
    ['a default without a required field', object({ a: string }, { required: ['a'], default: {} })],
    ['a default list with an item of another type', { type: 'array', items: integer, default: [1, 'two'] }],
    [
      'a default that a rule refuses',
      {
        type: 'integer',
        default: 3,
        'x-kubernetes-validations': [{ rule: 'self > 5', message: 'too small' }],
      },
    ],
    ['a default deep in items', { type: 'array', items: object({ n: { type: 'integer', default: 'x' } }) }],
  ]);
  await values(
    t,
    group,
    [['a fraction as default of an integer', { type: 'integer', default: 1.5 }]],
    causes,
  );
  await roots(t, group, [
    ['a default for metadata', object({ metadata: { type: 'object', default: { name: 'x' } } })],
    ['a default for the name', object({ metadata: object({ name: { type: 'string', default: 'x' } }) })],
    ['a default for kind', object({ kind: { type: 'string', default: 'Widget' } })],
  ]);
}

export async function rules(t) {
  const group = 'definitions-rules.conf.example.com';
  const rule = (r, rest = {}) => [typeof r === 'string' ? { rule: r, ...rest } : r];
  const pair = (...args) => object({ a: string, n: integer }, { 'x-kubernetes-validations': rule(...args) });
  await values(t, group, [
    ['a syntax error', pair('self.a ==')],
    ['an unknown variable', pair('this.n > 0')],
    ['an unknown field', pair('self.b > 0')],
    ['an unknown function', pair('self.a.isShiny()')],
    ['types that do not fit', pair('self.n > "1"')],
    ['a rule that gives a string', pair('self.a')],
    ['an empty rule', pair('')],
    ['a rule of blanks', pair('  ')],
    ['a blank message', pair('true', { message: ' ' })],
    ['a message with a line break', pair('true', { message: 'a\nb' })],
    ['a rule over two lines without a message', pair('self.n > 0 &&\nself.n < 9')],
    ['a message expression that does not compile', pair('true', { messageExpression: '"n is " +' })],
    ['a message expression that gives an integer', pair('true', { messageExpression: 'self.n' })],
    ['a blank message expression', pair('true', { messageExpression: ' ' })],
    ['an unknown reason', pair('true', { reason: 'FieldValueStrange' })],
    ['a field path to a field that does not exist', pair('true', { fieldPath: '.b' })],
    ['a field path without a dot', pair('true', { fieldPath: 'a' })],
    [
      'a field path with an index',
      {
        type: 'array',
        items: string,
        maxItems: 2,
        'x-kubernetes-validations': rule('true', { fieldPath: '[0]' }),
      },
    ],
    ['optionalOldSelf without oldSelf', pair('self.n > 0', { optionalOldSelf: true })],
    ['optionalOldSelf: false without oldSelf', pair('self.n > 0', { optionalOldSelf: false })],
    [
      'oldSelf in the items of an atomic list',
      {
        type: 'array',
        maxItems: 3,
        items: { type: 'integer', 'x-kubernetes-validations': rule('self >= oldSelf') },
      },
    ],
    [
      'oldSelf in the items of a set',
      {
        type: 'array',
        maxItems: 3,
        'x-kubernetes-list-type': 'set',
        items: { type: 'integer', 'x-kubernetes-validations': rule('self >= oldSelf') },
      },
    ],
    [
      'a field below preserved unknown fields',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-validations': rule('self.a == "x"'),
      },
    ],
  ]);
  await values(
    t,
    group,
    [
      ['a blank field path', pair('true', { fieldPath: ' ' })],
      [
        'oldSelf used as a value under optionalOldSelf',
        pair('oldSelf.n == self.n', { optionalOldSelf: true }),
      ],
      [
        'a rule whose cost is over the limit',
        {
          type: 'array',
          items: { type: 'array', items: string },
          'x-kubernetes-validations': rule('self.all(x, x.all(y, self.exists_one(z, y in z)))'),
        },
      ],
      [
        'a rule in unbounded items whose cost is over the limit',
        { type: 'array', items: { type: 'string', 'x-kubernetes-validations': rule('self.contains("x")') } },
      ],
      [
        'a message expression whose cost is over the limit',
        {
          type: 'array',
          items: string,
          'x-kubernetes-validations': rule('true', {
            messageExpression: 'self.map(x, self.join(x)).join(",")',
          }),
        },
      ],
    ],
    causes,
  );
  await roots(t, group, [
    [
      'labels in a rule at the root',
      { type: 'object', 'x-kubernetes-validations': rule('has(self.metadata.labels)') },
    ],
  ]);
}

export async function columnsAndSubresources(t) {
  const group = 'definitions-columns.conf.example.com';
  const schema = object({
    spec: object({
      replicas: integer,
      size: string,
      ratio: { type: 'number' },
      on: { type: 'boolean' },
      tags: { type: 'array', items: string },
    }),
    status: object({ replicas: integer, selector: string }),
  });
  const good = () => crd(group, 'Widget', { versions: [{ name: 'v1', schema }] });
  const column = (c) => (s) => {
    s.versions[0].additionalPrinterColumns = [{ name: 'Size', type: 'string', jsonPath: '.spec.size', ...c }];
  };
  const scale = (c) => (s) => {
    s.versions[0].subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', ...c },
    };
  };
  const select =
    (...paths) =>
    (s) => {
      s.versions[0].selectableFields = paths.map((jsonPath) => ({ jsonPath }));
    };
  await spoilt(t, good, [
    ['a column without a name', column({ name: undefined })],
    ['a column without a type', column({ type: undefined })],
    ['a column of an unknown type', column({ type: 'object' })],
    ['a column of an unknown format', column({ format: 'hex' })],
    ['a column without a path', column({ jsonPath: undefined })],
    ['a column path without a leading dot', column({ jsonPath: 'spec.size' })],
    ['a column path in braces', column({ jsonPath: '{.spec.size}' })],
    ['scale without specReplicasPath', scale({ specReplicasPath: undefined })],
    ['scale with specReplicasPath without a leading dot', scale({ specReplicasPath: 'spec.replicas' })],
    ['scale with specReplicasPath under status', scale({ specReplicasPath: '.status.replicas' })],
    ['scale with specReplicasPath that is .spec', scale({ specReplicasPath: '.spec' })],
    ['scale without statusReplicasPath', scale({ statusReplicasPath: undefined })],
    ['scale with statusReplicasPath under spec', scale({ statusReplicasPath: '.spec.replicas' })],
    ['scale with labelSelectorPath under metadata', scale({ labelSelectorPath: '.metadata.labels' })],
    ['scale with labelSelectorPath without a leading dot', scale({ labelSelectorPath: 'status.selector' })],
    [
      'a selectable field without a path',
      (s) => {
        s.versions[0].selectableFields = [{}];
      },
    ],
    ['a selectable field that does not exist', select('.spec.colour')],
    ['a selectable field without a leading dot', select('spec.size')],
    ['a selectable field that is a number', select('.spec.ratio')],
    ['a selectable field that is a list', select('.spec.tags')],
    ['a selectable field in a list', select('.spec.tags[0]')],
    ['the same selectable field twice', select('.spec.size', '.spec.on', '.spec.size')],
    [
      'nine selectable fields',
      (s) => {
        const letters = [...'abcdefghi'];
        s.versions[0].schema.openAPIV3Schema = object({
          spec: object(Object.fromEntries(letters.map((l) => [l, string]))),
        });
        select(...letters.map((l) => `.spec.${l}`))(s);
      },
    ],
    // Lists that agree are checked against the schema that the versions share, and here they share none.
    [
      'the same selectable field in two versions whose schemas differ',
      (s) => {
        select('.spec.size')(s);
        s.versions.push({ ...structuredClone(s.versions[0]), name: 'v2', storage: false });
        s.versions[1].schema.openAPIV3Schema.properties.spec.properties.more = string;
      },
    ],
    [
      'a selectable field in metadata',
      (s) => {
        s.versions[0].schema.openAPIV3Schema = object({ metadata: object({ name: string }) });
        select('.metadata.name')(s);
      },
    ],
  ]);
  await spoilt(
    t,
    good,
    [
      [
        'the status subresource with anyOf at the root',
        (s) => {
          s.versions[0].subresources = { status: {} };
          s.versions[0].schema.openAPIV3Schema = { ...schema, anyOf: [{ required: ['spec'] }] };
        },
      ],
      [
        'the status subresource with maxProperties at the root',
        (s) => {
          s.versions[0].subresources = { status: {} };
          s.versions[0].schema.openAPIV3Schema = { ...schema, maxProperties: 5 };
        },
      ],
    ],
    causes,
  );
}

export async function conversions(t) {
  const group = 'definitions-conversions.conf.example.com';
  const good = () => crd(group, 'Widget');
  const webhook =
    (clientConfig, conversionReviewVersions = ['v1']) =>
    (s) => {
      s.conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } };
    };
  const url = (u) => webhook({ url: u });
  const service = (c) => webhook({ service: { namespace: 'default', name: 'hook', ...c } });
  await spoilt(t, good, [
    [
      'no strategy',
      (s) => {
        s.conversion = {};
      },
    ],
    [
      'an unknown strategy',
      (s) => {
        s.conversion = { strategy: 'Magic' };
      },
    ],
    [
      'a strategy in small letters',
      (s) => {
        s.conversion = { strategy: 'none' };
      },
    ],
    [
      'None with a webhook',
      (s) => {
        s.conversion = {
          strategy: 'None',
          webhook: { clientConfig: { url: 'https://example.com/' }, conversionReviewVersions: [] },
        };
      },
    ],
    [
      'None with review versions',
      (s) => {
        s.conversion = { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } };
      },
    ],
    ['a webhook without a client configuration', webhook(undefined)],
    ['neither url nor service', webhook({})],
    [
      'url and service both',
      webhook({ url: 'https://example.com/', service: { namespace: 'default', name: 'hook' } }),
    ],
    ['a url with http', url('http://example.com/convert')],
    ['a url with another scheme', url('ftp://example.com/')],
    ['a url with a user only', url('https://me@example.com/')],
    ['a url with a query', url('https://example.com/convert?x=1')],
    ['a url with a fragment', url('https://example.com/convert#x')],
    ['a url with user information', url('https://me:secret@example.com/convert')],
    ['a url without a host', url('https:///convert')],
    ['a url that does not parse', url('https://example.com:port/')],
    ['a service without a name', service({ name: '' })],
    ['a service without a namespace', service({ namespace: '' })],
    ['a service with port 0', service({ port: 0 })],
    ['a service with a negative port', service({ port: -1 })],
    ['a service with port 65536', service({ port: 65536 })],
    ['a service path without a leading slash', service({ path: 'convert' })],
    ['a service path of two slashes', service({ path: '//' })],
    ['a service path with an empty segment', service({ path: '/a//b' })],
    ['a service path with a segment that is no DNS name', service({ path: '/Convert_It' })],
    ['no review versions', webhook({ url: 'https://example.com/' }, [])],
    ['only unknown review versions', webhook({ url: 'https://example.com/' }, ['v2'])],
    ['the same review version twice', webhook({ url: 'https://example.com/' }, ['v1', 'v1'])],
    ['a review version with a dot', webhook({ url: 'https://example.com/' }, ['v1', 'v1.2'])],
    ['a review version with capitals', webhook({ url: 'https://example.com/' }, ['v1', 'V2'])],
  ]);
  await spoilt(
    t,
    good,
    [
      [
        'Webhook without a webhook',
        (s) => {
          s.conversion = { strategy: 'Webhook' };
        },
      ],
    ],
    causes,
  );
}

// What looks like a fault and is accepted all the same.
export async function lenient(t) {
  const group = 'definitions-lenient.conf.example.com';
  const accept = (pick) => (t, label, def) => post(t, label, def, { query: '?dryRun=All', pick });
  const rule = (r, rest) => ({ 'x-kubernetes-validations': [{ rule: r, ...rest }] });
  await values(
    t,
    group,
    [
      ['a minimum above the maximum', { type: 'integer', minimum: 5, maximum: 3 }],
      ['an enum with values of another type', { type: 'string', enum: ['a', 1, null] }],
      ['an empty enum', { type: 'string', enum: [] }],
      ['the same value twice in an enum', { type: 'string', enum: ['a', 'a'] }],
      ['a required field that is not a property', object({ a: string }, { required: ['a', 'b'] })],
      ['string keywords on an integer', { type: 'integer', minLength: 1, pattern: '^a' }],
      ['properties on a string', { type: 'string', properties: { a: string } }],
      ['an unknown format', { type: 'string', format: 'colour' }],
      ['a format of another type', { type: 'string', format: 'int32' }],
      [
        'properties together with additionalProperties: true',
        object({ a: string }, { additionalProperties: true }),
      ],
      ['additionalProperties: false alone', { type: 'object', additionalProperties: false }],
      ['int-or-string with a type', { type: 'string', 'x-kubernetes-int-or-string': true }],
      [
        'int-or-string with the usual anyOf',
        { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ],
      [
        'int-or-string with the usual anyOf inside allOf',
        {
          'x-kubernetes-int-or-string': true,
          allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { minLength: 1 }],
        },
      ],
      ['no type with preserved unknown fields', { 'x-kubernetes-preserve-unknown-fields': true }],
      ['uniqueItems: false', { type: 'array', items: string, uniqueItems: false }],
      ['a default of null', { type: 'string', default: null }],
      ['a default of null for a nullable field', { type: 'string', nullable: true, default: null }],
      [
        'a default set with an item twice',
        { type: 'array', items: string, 'x-kubernetes-list-type': 'set', default: ['a', 'a'] },
      ],
      ['a boolean as default of int-or-string', { 'x-kubernetes-int-or-string': true, default: true }],
      [
        'a default for a field inside additionalProperties',
        { type: 'object', additionalProperties: object({ a: { type: 'string', default: 'x' } }) },
      ],
      [
        'a key with a default instead of required',
        {
          type: 'array',
          items: object({ key: { type: 'string', default: 'x' } }),
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['key'],
        },
      ],
      [
        'a property of anyOf below the root that the structure does not have',
        object({ a: string }, { anyOf: [{ properties: { b: { minLength: 1 } } }] }),
      ],
      ['a maxLength below the minLength', { type: 'string', minLength: 5, maxLength: 1 }],
      ['the same required field twice', object({ a: string }, { required: ['a', 'a'] })],
      ['items on an object', { type: 'object', items: string }],
      [
        'an example and external documentation',
        { type: 'string', example: { any: ['thing'] }, externalDocs: { url: 'not a url', description: 'x' } },
      ],
      ['an empty list of properties', object({})],
      ['an empty allOf', { type: 'string', allOf: [] }],
      ['an empty schema in anyOf', { type: 'string', anyOf: [{}] }],
      ['nullable: true with a default', { type: 'string', nullable: true, default: 'x' }],
      [
        'a set of atomic objects',
        {
          type: 'array',
          items: object({ a: string }, { 'x-kubernetes-map-type': 'atomic' }),
          'x-kubernetes-list-type': 'set',
        },
      ],
      [
        'a key that is a boolean',
        {
          type: 'array',
          items: object({ k: { type: 'boolean' } }, { required: ['k'] }),
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
      ],
      ['a field called metadata that is a string', object({ metadata: string })],
      [
        'oldSelf below an atomic map',
        object({ n: { type: 'integer', ...rule('self == oldSelf') } }, { 'x-kubernetes-map-type': 'atomic' }),
      ],
      [
        'oldSelf in the items of a map list',
        {
          type: 'array',
          maxItems: 3,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: object({ k: string }, { required: ['k'], ...rule('self == oldSelf') }),
        },
      ],
      [
        'a rule with a reserved word as field, escaped',
        object({ namespace: string }, rule('self.__namespace__ == "x"')),
      ],
      ['a rule with a dash in a field, escaped', object({ 'a-b': string }, rule('self.a__dash__b == "x"'))],
      [
        'a rule with a message and a message expression',
        object(
          { a: string },
          rule('self.a != ""', {
            message: 'x',
            messageExpression: '"y"',
            fieldPath: '.a',
            reason: 'FieldValueRequired',
          }),
        ),
      ],
      [
        'a rule over two lines with a message',
        object({ n: integer }, rule('self.n > 0 &&\nself.n < 9', { message: 'between' })),
      ],
      [
        'the same rule twice',
        object(
          { n: integer },
          { 'x-kubernetes-validations': [{ rule: 'self.n > 0' }, { rule: 'self.n > 0' }] },
        ),
      ],
    ],
    accept((b) => b.spec.versions[0].schema.openAPIV3Schema.properties?.spec?.properties?.value),
  );
  const schema = object({ spec: object({ n: integer, a: string }), status: object({ n: integer }) });
  await spoilt(
    t,
    () => crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }),
    [
      [
        'a body without a kind',
        (_s, d) => {
          delete d.kind;
        },
      ],
      [
        'a namespace in the metadata',
        (_s, d) => {
          d.metadata.namespace = 'default';
        },
      ],
      [
        'a status in the body',
        (_s, d) => {
          d.status = { storedVersions: ['v9'], conditions: [], acceptedNames: { plural: 'x', kind: 'X' } };
        },
      ],
      [
        'a kind in small letters',
        (s) => {
          s.names.kind = 'widget';
        },
      ],
      [
        'singular and plural the same',
        (s) => {
          s.names.singular = 'widgets';
        },
      ],
      [
        'a short name that is the plural',
        (s) => {
          s.names.shortNames = ['widgets', 'widgets'];
        },
      ],
      [
        'no version served',
        (s) => {
          s.versions[0].served = false;
        },
      ],
      [
        'served left out',
        (s) => {
          delete s.versions[0].served;
        },
      ],
      [
        'a deprecated version without a warning',
        (s) => {
          s.versions[0].deprecated = true;
        },
      ],
      [
        'a listKind that does not end in List',
        (s) => {
          s.names.listKind = 'ManyEngines';
        },
      ],
      [
        'a version name that is no Kubernetes version',
        (s) => {
          s.versions[0].name = 'stable-2024';
        },
      ],
      [
        'a deprecation warning of 256 characters',
        (s) => {
          Object.assign(s.versions[0], { deprecated: true, deprecationWarning: 'x'.repeat(256) });
        },
      ],
      [
        'empty lists of names',
        (s) => {
          Object.assign(s.names, { shortNames: [], categories: [] });
        },
      ],
      [
        'a null conversion',
        (s) => {
          s.conversion = null;
        },
      ],
      [
        'a url with a port and no path',
        (s) => {
          s.conversion = {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1beta1'],
              clientConfig: { url: 'https://example.com:8443' },
            },
          };
        },
      ],
      [
        'preserveUnknownFields: false',
        (s) => {
          s.preserveUnknownFields = false;
        },
      ],
      [
        'a column path that does not parse',
        (s) => {
          s.versions[0].additionalPrinterColumns = [{ name: 'A', type: 'string', jsonPath: '.spec[' }];
        },
      ],
      [
        'two columns of one name',
        (s) => {
          s.versions[0].additionalPrinterColumns = [1, 2].map(() => ({
            name: 'A',
            type: 'string',
            jsonPath: '.spec.a',
          }));
        },
      ],
      [
        'a column with a filter',
        (s) => {
          s.versions[0].additionalPrinterColumns = [
            { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          ];
        },
      ],
      [
        'a scale path with an index',
        (s) => {
          s.versions[0].subresources = {
            scale: { specReplicasPath: '.spec.list[0]', statusReplicasPath: '.status.n' },
          };
        },
      ],
      [
        'an empty labelSelectorPath',
        (s) => {
          s.versions[0].subresources = {
            scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '' },
          };
        },
      ],
      [
        'eight selectable fields',
        (s) => {
          const letters = [...'abcdefgh'];
          s.versions[0].schema.openAPIV3Schema = object({
            spec: object(Object.fromEntries(letters.map((l) => [l, string]))),
          });
          s.versions[0].selectableFields = letters.map((l) => ({ jsonPath: `.spec.${l}` }));
        },
      ],
      [
        'a service with defaults',
        (s) => {
          s.conversion = {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1', 'v9'],
              clientConfig: { service: { namespace: 'default', name: 'hook' } },
            },
          };
        },
      ],
    ],
    accept(({ metadata, spec, status }) => {
      const { schema: _, ...version } = spec.versions[0];
      return {
        namespace: metadata.namespace,
        names: spec.names,
        version,
        conversion: spec.conversion,
        preserveUnknownFields: spec.preserveUnknownFields,
        status,
      };
    }),
  );
}
