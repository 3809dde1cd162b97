// The fieldValidation parameter, unknown and duplicate fields, and bodies that cannot be decoded.
import { integer, object, string } from '../lib/fixtures.mjs';
import { content, install, refusal } from './schemas/install.mjs';

const schema = object({
  spec: object({
    text: string,
    count: integer,
    rows: { type: 'array', items: object({ text: string }) },
    table: { type: 'object', additionalProperties: object({ text: string }) },
    template: object({ spec: object({ text: string }) }, { 'x-kubernetes-embedded-resource': true }),
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  }),
});
const modes = ['Ignore', 'Warn', 'Strict'];

const refusedPatch = (t, label, url, body, type) =>
  refusal(t, label, 'PATCH', url, { body, type, keep: /strict decoding error.*/ });

export async function unknownFields(t) {
  const w = await install(t, 'unknown', schema);
  const cases = [
    ['at the root', { extra: 1 }],
    ['in spec', { spec: { text: 'a', extra: 1 } }],
    ['in a list item', { spec: { rows: [{ text: 'a' }, { extra: 1 }] } }],
    ['in a map value', { spec: { table: { 'a.b': { extra: 1 } } } }],
    [
      'in an embedded resource',
      { spec: { template: { apiVersion: 'v1', kind: 'Pod', spec: { extra: 1 } } } },
    ],
    [
      'in embedded metadata',
      { spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { extra: 1 } } } },
    ],
    ['twice', { spec: { extra: 1, also: 2 } }],
    ['that is null', { spec: { extra: null } }],
    ['in a field that takes anything', { spec: { any: { extra: 1 } } }],
  ];
  for (const mode of modes) {
    for (const [i, [where, rest]] of cases.entries())
      await w.create(`${mode}: an unknown field ${where}`, `${mode.toLowerCase()}-${i}`, rest, {
        query: `?fieldValidation=${mode}`,
      });
    await t.step(`${mode}: an unknown field in metadata`, 'POST', `${w.url}?fieldValidation=${mode}`, {
      body: {
        ...w.body('x', { spec: {} }),
        metadata: { name: `${mode.toLowerCase()}-meta`, extra: 1, labels: { a: 'b' } },
      },
      pick: (b) => ({ keys: Object.keys(b.metadata).sort(), spec: b.spec }),
    });
  }
  await w.create('the default is to warn', 'default', { spec: { extra: 1 } });
  await w.create(
    'a mode that does not exist',
    'loud',
    { spec: { extra: 1 } },
    { query: '?fieldValidation=Loud' },
  );
  await w.create('an empty mode', 'empty', { spec: { extra: 1 } }, { query: '?fieldValidation=' });
  await w.create('a warning comes with a refusal as well', 'refused', { spec: { extra: 1, count: 'x' } });
  await w.create(
    'Strict: the unknown field is reported rather than the value',
    'strict',
    { spec: { extra: 1, count: 'x' } },
    {
      query: '?fieldValidation=Strict',
    },
  );
}

export async function unknownFieldsOnUpdate(t) {
  const w = await install(t, 'unknown-update', schema);
  await w.seed('a', { spec: { text: 'a', rows: [{ text: 'b' }] } });
  const merge = { spec: { extra: 1 } };
  const json = [{ op: 'add', path: '/spec/rows/0/extra', value: 1 }];
  for (const mode of modes) {
    const opt = { query: `?fieldValidation=${mode}` };
    await w.replace(
      `${mode}: an update`,
      'a',
      (o) => {
        o.spec.extra = 1;
      },
      opt,
    );
    await w.patch(
      `${mode}: a merge patch that removes an unknown field`,
      'a',
      { spec: { extra: null } },
      opt,
    );
    await w.apply(
      `${mode}: an apply`,
      'a',
      { spec: { extra: 1 } },
      { query: `&force=true&fieldValidation=${mode}` },
    );
    if (mode === 'Strict') continue;
    await w.patch(`${mode}: a merge patch`, 'a', merge, opt);
    await w.patch(`${mode}: a JSON patch`, 'a', json, opt);
  }
  await refusedPatch(
    t,
    'Strict: a merge patch',
    `${w.url}/a?fieldValidation=Strict`,
    merge,
    'application/merge-patch+json',
  );
  await refusedPatch(
    t,
    'Strict: a JSON patch',
    `${w.url}/a?fieldValidation=Strict`,
    json,
    'application/json-patch+json',
  );
  await w.patch('an unknown field in the metadata of a merge patch', 'a', { metadata: { extra: 1 } });
  await w.patch(
    'a mode that does not exist',
    'a',
    { spec: { text: 'b' } },
    { query: '?fieldValidation=strict' },
  );
}

export async function duplicateFields(t) {
  const w = await install(t, 'duplicate', schema);
  const head = (name) => `"apiVersion":"${w.group}/v1","kind":"Widget","metadata":{"name":"${name}"}`;
  const cases = [
    ['in spec', (n) => `{${head(n)},"spec":{"text":"a","text":"b"}}`],
    ['at the root', (n) => `{${head(n)},"spec":{"text":"a"},"spec":{"count":1}}`],
    ['in a list item', (n) => `{${head(n)},"spec":{"rows":[{"text":"a"},{"text":"a","text":"b"}]}}`],
    ['in a map', (n) => `{${head(n)},"spec":{"table":{"k":{"text":"a"},"k":{"text":"b"}}}}`],
    [
      'in metadata',
      (n) =>
        `{"apiVersion":"${w.group}/v1","kind":"Widget","metadata":{"name":"${n}","labels":{"a":"b","a":"c"}},"spec":{}}`,
    ],
    ['three times', (n) => `{${head(n)},"spec":{"text":"a","text":"b","text":"c"}}`],
    ['next to an unknown field', (n) => `{${head(n)},"spec":{"extra":1,"text":"a","text":"b"}}`],
    ['of an unknown field', (n) => `{${head(n)},"spec":{"extra":1,"extra":2}}`],
  ];
  for (const mode of modes) {
    for (const [i, [where, body]] of cases.entries()) {
      await t.step(`${mode}: a duplicate ${where}`, 'POST', `${w.url}?fieldValidation=${mode}`, {
        body: body(`${mode.toLowerCase()}-${i}`),
        type: 'application/json',
        pick: (b) => ({ labels: b.metadata.labels, spec: b.spec }),
      });
    }
  }
  await w.seed('a', { spec: { text: 'a' } });
  const patches = [
    ['merge', '{"spec":{"text":"b","text":"c"}}', 'application/merge-patch+json'],
    [
      'JSON',
      '[{"op":"replace","path":"/spec/text","path":"/spec/text","value":"d"}]',
      'application/json-patch+json',
    ],
  ];
  for (const [kind, body, type] of patches) {
    for (const mode of ['Ignore', 'Warn']) {
      await t.step(`${mode}: a duplicate in a ${kind} patch`, 'PATCH', `${w.url}/a?fieldValidation=${mode}`, {
        body,
        type,
        pick: content,
      });
    }
    await refusedPatch(
      t,
      `Strict: a duplicate in a ${kind} patch`,
      `${w.url}/a?fieldValidation=Strict`,
      body,
      type,
    );
  }
}

export async function yamlBodies(t) {
  const w = await install(t, 'yaml', schema);
  const head = (name) => `apiVersion: ${w.group}/v1\nkind: Widget\nmetadata:\n  name: ${name}\n`;
  const post = (label, body, query = '') =>
    t.step(label, 'POST', w.url + query, {
      body,
      type: 'application/yaml',
      pick: (b) => ({ name: b.metadata.name, ...content(b) }),
    });
  await post('an object in YAML', `${head('plain')}spec:\n  text: a\n  count: 3\n  rows:\n  - text: b\n`);
  await post(
    'YAML words that look like booleans',
    `${head('words')}spec:\n  any: [yes, on, true, "yes", null, ~, 0x10, 1_000, 1.0, 012, 2024-01-01]\n`,
  );
  await post('anchors and aliases', `${head('anchors')}spec:\n  any:\n    a: &x {k: v}\n    b: *x\n`);
  await post('keys that are not strings', `${head('keys')}spec:\n  any:\n    1: a\n    true: b\n`);
  await post('a block scalar', `${head('block')}spec:\n  text: |\n    line\n    other\n`);
  for (const mode of modes) {
    await post(
      `${mode}: an unknown field`,
      `${head(`u-${mode.toLowerCase()}`)}spec:\n  text: a\n  extra: 1\n`,
      `?fieldValidation=${mode}`,
    );
    await post(
      `${mode}: a duplicate field`,
      `${head(`d-${mode.toLowerCase()}`)}spec:\n  text: a\n  text: b\n`,
      `?fieldValidation=${mode}`,
    );
  }
  await post('a wrong value in YAML', `${head('wrong')}spec:\n  count: "3"\n`);
  await post('YAML that does not parse', `${head('broken')}spec: [a\n`);
  await post('YAML that is a scalar', 'just words');
  await post('two documents', `${head('first')}---\n${head('second')}`);
  const specOf = (text) => text.match(/^spec:\n(?: .*\n)+/m)?.[0];
  await t.step('the answer in YAML', 'GET', `${w.url}/plain`, {
    headers: { accept: 'application/yaml' },
    pick: specOf,
  });
}

export async function bodiesThatDoNotDecode(t) {
  const w = await install(t, 'bodies', schema);
  const head = `"apiVersion":"${w.group}/v1","kind":"Widget"`;
  const post = (label, body, type = 'application/json') => t.step(label, 'POST', w.url, { body, type });
  await post('JSON that ends too early', `{${head},"metadata":{"name":"a"}`);
  await post('JSON with a trailing comma', `{${head},"metadata":{"name":"a",}}`);
  await post('JSON with something after it', `{${head},"metadata":{"name":"a"}} x`);
  await post('an empty body', '');
  await post('a list', '[]');
  await post('a string', '"x"');
  await post('null', 'null');
  await post('an empty object', '{}');
  await post(
    'a number beyond what a float can hold',
    `{${head},"metadata":{"name":"a"},"spec":{"any":1e400}}`,
  );
  await post('a media type that is not supported', `{${head},"metadata":{"name":"a"}}`, 'text/plain');
  await post('a media type that is not one', `{${head},"metadata":{"name":"a"}}`, 'json');
  await w.seed('a', { spec: { text: 'a' } });
  const patch = (label, body, type) => t.step(label, 'PATCH', `${w.url}/a`, { body, type });
  await patch('a merge patch that does not parse', '{"spec":', 'application/merge-patch+json');
  await patch('a merge patch that is a list', '[]', 'application/merge-patch+json');
  await patch('a JSON patch that is an object', '{}', 'application/json-patch+json');
  await patch(
    'a JSON patch with an operation that does not exist',
    '[{"op":"swap","path":"/spec/text"}]',
    'application/json-patch+json',
  );
  await patch(
    'a JSON patch that removes what is not there',
    '[{"op":"remove","path":"/spec/count"}]',
    'application/json-patch+json',
  );
  await patch('a strategic merge patch', '{"spec":{"text":"b"}}', 'application/strategic-merge-patch+json');
  await patch('a patch type that does not exist', '{}', 'application/json');
}
