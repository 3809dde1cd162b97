// Patching custom resources: JSON patch, merge patch, and what is refused.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const spec = object({
  size: integer,
  note: string,
  list: { type: 'array', items: integer },
  map: { type: 'object', additionalProperties: string },
  'a/b': string,
  'a~b': string,
});
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
/**
 * A refusal that quotes the whole document (with times and versions) in its messages: that quotation is not
 * compared.
 */
const refusal = async (t, label, url, type, body) => {
  const res = await t.client.request('PATCH', url, { body, headers: { 'content-type': type } });
  t.note(label, {
    status: res.status,
    body: JSON.parse(JSON.stringify(res.body), (k, v) =>
      k === 'message' ? v.replace(/["']\{.*\}["']/, '<document>') : v,
    ),
  });
};
const start = { size: 1, note: 'n', list: [1, 2, 3], map: { x: '1', y: '2' }, 'a/b': 's', 'a~b': 't' };

export async function jsonPatch(t) {
  const group = 'verbs-jsonpatch.conf.example.com';
  const ns = await t.namespace('conf-verbs-jsonpatch');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: object({ spec }) }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const live = await t.setup('POST', url, { body: custom(group, 'v1', 'Widget', 'a', { spec: start }) });
  const patch = (label, body, { pick = (b) => b.spec, query = '?dryRun=All', at = `${url}/a` } = {}) =>
    t.step(label, 'PATCH', `${at}${query}`, { body, type: JSON_PATCH, pick });

  // Dry runs, so that each starts from the same object.
  await patch('add a member', [{ op: 'add', path: '/spec/map/z', value: '3' }]);
  await patch('add over a member that is there', [{ op: 'add', path: '/spec/size', value: 5 }]);
  await patch('add at an index', [{ op: 'add', path: '/spec/list/1', value: 9 }]);
  await patch('add at the end', [{ op: 'add', path: '/spec/list/-', value: 9 }]);
  await patch('remove a member', [{ op: 'remove', path: '/spec/note' }]);
  await patch('remove an element', [{ op: 'remove', path: '/spec/list/0' }]);
  await patch('replace a member that is missing adds it', [
    { op: 'replace', path: '/spec/map/none', value: '1' },
  ]);
  await patch('replace', [{ op: 'replace', path: '/spec/size', value: 7 }]);
  await patch('move', [{ op: 'move', from: '/spec/map/x', path: '/spec/map/w' }]);
  await patch('copy', [{ op: 'copy', from: '/spec/note', path: '/spec/map/note' }]);
  await patch('a test that holds', [
    { op: 'test', path: '/spec/size', value: 1 },
    { op: 'replace', path: '/spec/size', value: 2 },
  ]);
  await patch('a test of a whole object', [{ op: 'test', path: '/spec/map', value: { y: '2', x: '1' } }]);
  await patch('escaped pointers', [
    { op: 'replace', path: '/spec/a~1b', value: 'slash' },
    { op: 'replace', path: '/spec/a~0b', value: 'tilde' },
  ]);
  await patch('no operations at all', []);
  await patch('several operations in order', [
    { op: 'add', path: '/spec/map/q', value: '1' },
    { op: 'remove', path: '/spec/map/q' },
    { op: 'replace', path: '/spec/note', value: 'last' },
  ]);
  await patch('labels where there were none', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }], {
    pick: (b) => b.metadata.labels,
  });
  await patch('a path without a leading slash loses its first part', [
    { op: 'add', path: 'x/spec/size', value: 8 },
  ]);
  await patch('an unknown field is dropped with a warning', [{ op: 'add', path: '/spec/extra', value: 1 }]);

  const refused = [
    ['a test that fails', [{ op: 'test', path: '/spec/size', value: 2 }]],
    ['a test of a member that is missing', [{ op: 'test', path: '/spec/none', value: 2 }]],
    ['remove a member that is missing', [{ op: 'remove', path: '/spec/none' }]],
    ['add under a parent that is missing', [{ op: 'add', path: '/spec/none/x', value: 1 }]],
    ['an index out of range', [{ op: 'add', path: '/spec/list/9', value: 1 }]],
    ['remove an index out of range', [{ op: 'remove', path: '/spec/list/9' }]],
    ['an index that is no number', [{ op: 'add', path: '/spec/list/x', value: 1 }]],
    ['move from a member that is missing', [{ op: 'move', from: '/spec/none', path: '/spec/note' }]],
    ['an operation nobody knows', [{ op: 'frobnicate', path: '/spec/size', value: 1 }]],
    ['an operation without op', [{ path: '/spec/size', value: 1 }]],
    ['an operation without a path', [{ op: 'add', value: 1 }]],
    ['a document that is an object', { op: 'add', path: '/spec/size', value: 1 }],
    ['a document that is no JSON', '[{'],
    ['an empty document', ''],
    ['a list of strings', ['x']],
    ['a value that does not fit the schema', [{ op: 'replace', path: '/spec/size', value: 'x' }]],
    ['a changed name', [{ op: 'replace', path: '/metadata/name', value: 'b' }]],
    ['a changed namespace', [{ op: 'replace', path: '/metadata/namespace', value: 'default' }]],
    [
      'a changed uid',
      [{ op: 'replace', path: '/metadata/uid', value: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' }],
    ],
    ['a changed kind', [{ op: 'replace', path: '/kind', value: 'Gadget' }]],
    ['a changed group', [{ op: 'replace', path: '/apiVersion', value: 'example.org/v1' }]],
    ['a stale resourceVersion', [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }]],
    ['the whole document replaced by a string', [{ op: 'replace', path: '', value: 'x' }]],
  ];
  for (const [label, body] of refused) await patch(label, body);
  await refusal(t, 'a removed kind', `${url}/a`, JSON_PATCH, [{ op: 'remove', path: '/kind' }]);
  await patch(
    'over 10,000 operations',
    Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/spec/size', value: 1 })),
  );
  await patch('a name that does not exist', [{ op: 'add', path: '/spec/size', value: 1 }], {
    at: `${url}/nope`,
  });
  const now = await t.step('none of this was stored', 'GET', `${url}/a`, { pick: (b) => b.spec });
  t.note(
    'the resourceVersion is the first one',
    now.metadata.resourceVersion === live.metadata.resourceVersion,
  );
  await patch(
    'a stored patch answers 200 with the object',
    [
      { op: 'replace', path: '/spec/size', value: 4 },
      { op: 'test', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
    ],
    {
      query: '',
      pick: (b) => b,
    },
  );
  await patch(
    'a patch that changes nothing keeps the resourceVersion',
    [{ op: 'replace', path: '/spec/size', value: 4 }],
    { query: '', pick: (b) => b.metadata },
  );
}

export async function mergePatch(t) {
  const group = 'verbs-mergepatch.conf.example.com';
  const ns = await t.namespace('conf-verbs-mergepatch');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: object({ spec }) }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const live = await t.setup('POST', url, { body: custom(group, 'v1', 'Widget', 'a', { spec: start }) });
  const patch = (
    label,
    body,
    { pick = (b) => b.spec, query = '?dryRun=All', at = `${url}/a`, type = MERGE } = {},
  ) => t.step(label, 'PATCH', `${at}${query}`, { body, type, pick });

  await patch('a member is set and the rest stays', { spec: { size: 2 } });
  await patch('null removes', { spec: { note: null, map: { x: null } } });
  await patch('null for a member that is missing', { spec: { none: null } });
  await patch('lists are replaced', { spec: { list: [9] } });
  await patch('objects are merged', { spec: { map: { z: '3' } } });
  await patch('an empty object changes nothing', {});
  await patch('null for the whole spec', { spec: null }, { pick: lean });
  await patch(
    'labels and annotations',
    { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } },
    { pick: lean },
  );
  await patch('the resourceVersion of now', {
    metadata: { resourceVersion: live.metadata.resourceVersion },
    spec: { size: 3 },
  });
  await patch('a YAML patch sent as a merge patch', 'spec:\n  size: 3\n');
  const refused = [
    ['a stale resourceVersion', { metadata: { resourceVersion: '1' }, spec: { size: 3 } }],
    ['a resourceVersion that is no number', { metadata: { resourceVersion: 'abc' }, spec: { size: 3 } }],
    ['a changed name', { metadata: { name: 'b' } }],
    ['a changed namespace', { metadata: { namespace: 'default' } }],
    ['a changed kind', { kind: 'Gadget' }],
    ['a changed group', { apiVersion: 'example.org/v1' }],
    ['a removed apiVersion', { apiVersion: null }],
    ['a changed uid', { metadata: { uid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' } }],
    ['a value that does not fit the schema', { spec: { size: 'x' } }],
    ['an element that does not fit the schema', { spec: { list: ['x'] } }],
    ['a document that is a list', []],
    ['a document that is a string', '"x"'],
    ['a document of null', 'null'],
    ['a document that is no JSON', '{'],
    ['an empty document', ''],
    ['a removed name', { metadata: { name: null } }],
  ];
  for (const [label, body] of refused) await patch(label, body);
  await refusal(t, 'metadata that is a string', `${url}/a`, MERGE, { metadata: 'x' });
  await refusal(t, 'fieldValidation=Strict with an unknown field', `${url}/a?fieldValidation=Strict`, MERGE, {
    spec: { extra: 1 },
  });
  await patch(
    'removing the namespace has no effect',
    { metadata: { namespace: null } },
    { pick: (b) => b.metadata.namespace },
  );
  await patch(
    'removing the uid and creationTimestamp has no effect',
    { metadata: { uid: null, creationTimestamp: null } },
    {
      pick: (b) =>
        b.metadata.uid === live.metadata.uid &&
        b.metadata.creationTimestamp === live.metadata.creationTimestamp,
    },
  );
  await patch('a name that does not exist', { spec: { size: 1 } }, { at: `${url}/nope` });
  await patch(
    'a namespace that does not exist',
    { spec: { size: 1 } },
    { at: `${resource(group, 'v1', 'widgets', 'conf-verbs-missing')}/a` },
  );
  await patch('the collection', { spec: { size: 1 } }, { at: url });
  await patch('dryRun of another value', { spec: { size: 1 } }, { query: '?dryRun=true' });
  await patch('an unknown field warns by default', { spec: { extra: 1 } });
  await patch('force is only for apply patches', { spec: { size: 1 } }, { query: '?force=true' });
  await patch(
    'a stored patch answers 200 with the object',
    { spec: { size: 6 } },
    { query: '?fieldManager=patcher', pick: (b) => b },
  );

  for (const type of [
    'application/strategic-merge-patch+json',
    'application/json',
    'text/plain',
    'application/yaml',
  ]) {
    await patch(`content type ${type}`, { spec: { size: 1 } }, { type });
  }
  await t.step('no content type and no body', 'PATCH', `${url}/a`);
}
