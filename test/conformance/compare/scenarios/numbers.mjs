// Numbers in every notation, in every place that treats integers differently.
import { crd, custom, object, resource } from '../../recordings/lib/fixtures.mjs';

const NOTATIONS = ['1', '1.0', '1e0', '1e3', '1E+2', '10e-1', '1.5', '-0', '-0.0', '0.1e1', '1e400', '1e-400']
  .concat(['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '1e21'])
  .concat(['9223372036854775807.0', '123456789012345678901234567890', '1.0000000000000001', '01', '1.', '.5'])
  .concat(['+1', '0x10', 'NaN', '1e', '"1"', 'true', 'null']);

const group = 'numbers.compare.example.com';
const list = (type, rest) => ({ type: 'array', items: { type }, ...rest });
const schema = object({
  spec: object({
    integer: { type: 'integer' },
    int32: { type: 'integer', format: 'int32' },
    int64: { type: 'integer', format: 'int64' },
    number: { type: 'number' },
    float: { type: 'number', format: 'float' },
    text: { type: 'string' },
    either: { 'x-kubernetes-int-or-string': true },
    ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0', message: 'is negative' }] },
    ruledNumber: { type: 'number', 'x-kubernetes-validations': [{ rule: 'self >= 0.0' }] },
    text2: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
    multiple: { type: 'number', multipleOf: 0.1 },
    bounded: { type: 'integer', minimum: 1, maximum: 10, exclusiveMaximum: true },
    one: { type: 'integer', enum: [1, 2] },
    oneNumber: { type: 'number', enum: [1, 1.5] },
    set: list('integer', { 'x-kubernetes-list-type': 'set' }),
    numbers: list('number', { 'x-kubernetes-list-type': 'set' }),
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port'],
      items: object({ port: { type: 'integer' }, name: { type: 'string' } }, { required: ['port'] }),
    },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  }),
});
const url = resource(group, 'v1', 'nums', 'default');
const text = (name, spec, more = '') =>
  `{"apiVersion":"${group}/v1","kind":"Num","metadata":{"name":"${name}"${more}},"spec":${spec}}`;
const definition = crd(group, 'Num', { versions: [{ name: 'v1', schema }] });

export async function inFields(t) {
  await t.crd(definition);
  for (const field of [
    'integer',
    'int32',
    'int64',
    'number',
    'float',
    'either',
    'ruled',
    'ruledNumber',
    'open',
  ])
    for (const number of NOTATIONS) {
      const value = field === 'open' ? `{"a":${number},"b":[${number}]}` : number;
      await t.ask(`${field}: ${number}`, 'POST', `${url}?dryRun=All`, {
        body: text('a', `{"${field}":${value}}`),
      });
    }
  for (const field of ['multiple', 'bounded', 'one', 'oneNumber', 'text'])
    for (const number of ['1', '1.0', '1e0', '0.3', '10', '10.0', '3'])
      await t.ask(`${field}: ${number}`, 'POST', `${url}?dryRun=All`, {
        body: text('a', `{"${field}":${number}}`),
      });
}

export async function inLists(t) {
  await t.crd(definition);
  const post = (label, spec) => t.ask(label, 'POST', `${url}?dryRun=All`, { body: text('a', spec) });
  for (const field of ['set', 'numbers'])
    for (const items of ['1,1', '1,1.0', '1.0,1.0', '1,1e0', '1,2.0', '100,1e2', '-0,0', '1.5,1.5'])
      await post(`${field} ${items}`, `{"${field}":[${items}]}`);
  for (const [a, b] of [
    ['1', '1'],
    ['1', '1.0'],
    ['1.0', '1.0'],
    ['1', '1e0'],
    ['1', '2.0'],
    ['100', '1e2'],
  ])
    await post(`map ${a} and ${b}`, `{"map":[{"port":${a}},{"port":${b}}]}`);
}

export async function writtenAndPatched(t) {
  await t.crd(definition);
  await t.ask('create', 'POST', url, {
    body: text(
      'w',
      '{"integer":1.0,"number":1.0,"set":[1.0],"map":[{"port":80.0,"name":"a"}],"open":{"a":1.0,"b":1e3}}',
    ),
  });
  await t.ask('read', 'GET', `${url}/w`);
  for (const body of [
    '{"spec":{"integer":2.0}}',
    '{"spec":{"ruled":3.0}}',
    '{"spec":{"number":2}}',
    '{"spec":{"set":[1,1.0]}}',
  ])
    await t.ask(`merge patch ${body}`, 'PATCH', `${url}/w`, { body, type: 'application/merge-patch+json' });
  for (const op of [
    '{"op":"test","path":"/spec/number","value":2.0}',
    '{"op":"test","path":"/spec/integer","value":2.0}',
    '{"op":"add","path":"/spec/set/0","value":1.0}',
    '{"op":"add","path":"/spec/set/-","value":7.0}',
    '{"op":"replace","path":"/spec/ruled","value":4.0}',
    '{"op":"test","path":"/spec/open/b","value":1e3}',
  ])
    await t.ask(`JSON patch ${op}`, 'PATCH', `${url}/w`, {
      body: `[${op}]`,
      type: 'application/json-patch+json',
    });
  for (const spec of [
    '{"integer":5.0}',
    '{"set":[1.0]}',
    '{"map":[{"port":80.0,"name":"b"}]}',
    '{"map":[{"port":80,"name":"b"},{"port":80.0,"name":"c"}]}',
    '{"ruled":5.0}',
    '{"number":1e2}',
  ])
    await t.ask(`apply ${spec}`, 'PATCH', `${url}/w?fieldManager=m&force=true`, {
      body: text('w', spec),
      type: 'application/apply-patch+yaml',
    });
  for (const yaml of [
    '1.0',
    '1e3',
    '0x10',
    '0o17',
    '017',
    '1_000',
    '.5',
    '+1',
    '.inf',
    '.nan',
    '~',
    '1.',
    '0b11',
  ])
    for (const field of ['integer', 'number', 'text', 'open'])
      await t.ask(`YAML ${field}: ${yaml}`, 'POST', `${url}?dryRun=All`, {
        body: `apiVersion: ${group}/v1\nkind: Num\nmetadata: {name: y}\nspec:\n  ${field}: ${field === 'open' ? `{a: ${yaml}}` : yaml}\n`,
        type: 'application/yaml',
      });
  await t.ask('replace with 1.0', 'PUT', `${url}/w`, { body: text('w', '{"integer":1.0,"set":[2.0]}') });
}

export async function ofBuiltIns(t) {
  const service = (port) =>
    `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":${port}}]}}`;
  for (const port of [
    '80',
    '80.0',
    '8e1',
    '"80"',
    'null',
    'true',
    '1.5',
    '4294967376',
    '9223372036854775808',
    '-0',
  ])
    await t.ask(`port ${port}`, 'POST', '/api/v1/namespaces/default/services?dryRun=All', {
      body: service(port),
      pick: ({ spec }) => spec.ports,
    });
  const target = (port) =>
    `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":${port}}]}}`;
  for (const port of ['80', '80.0', '8e1', '"80"', 'null', 'true', '1.5', '"web"', '{}', '99999999999'])
    await t.ask(`targetPort ${port}`, 'POST', '/api/v1/namespaces/default/services?dryRun=All', {
      body: target(port),
      pick: ({ spec }) => spec.ports,
    });
  const quantity = (text) =>
    `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},"spec":{"hard":{"cpu":${text}}}}`;
  for (const value of [
    '1',
    '1.0',
    '1.5',
    '1e3',
    '"1e3"',
    '"1E3"',
    '"0.5"',
    'null',
    'true',
    '"1.0000000001"',
    '"1Ki"',
    '-1',
    '1e-3',
  ])
    await t.ask(`quantity ${value}`, 'POST', '/api/v1/namespaces/default/resourcequotas?dryRun=All', {
      body: quantity(value),
      pick: ({ spec }) => spec.hard,
    });
  const lease = (n) =>
    `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},"spec":{"leaseDurationSeconds":${n}}}`;
  for (const n of ['15', '15.0', '1.5e1', '"15"', '2147483648'])
    await t.ask(`lease ${n}`, 'POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All', {
      body: lease(n),
      pick: ({ spec }) => spec,
    });
  await t.setup('POST', '/api/v1/namespaces/default/services', { body: service('80') });
  for (const [type, body] of [
    ['application/merge-patch+json', '{"spec":{"ports":[{"port":81.0}]}}'],
    ['application/strategic-merge-patch+json', '{"spec":{"ports":[{"port":82.0}]}}'],
    ['application/json-patch+json', '[{"op":"replace","path":"/spec/ports/0/port","value":83.0}]'],
  ])
    await t.ask(`service by ${type}`, 'PATCH', '/api/v1/namespaces/default/services/s', {
      body,
      type,
      pick: ({ spec }) => spec?.ports,
    });
}

export async function inRules(t) {
  const rules = {
    a: 'self == 1',
    b: 'self < 2.0',
    c: 'double(self) < 2.0',
    d: 'self in [1, 2]',
    e: 'type(self) == int',
    f: "string(self) == '1'",
    g: "'%d'.format([self]) == '1'",
    h: "'%e %f %s %b %x %o'.format([1.5, 2.0, self, 5, 255, 8]) != ''",
  };
  const properties = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [
      name,
      { type: 'integer', 'x-kubernetes-validations': [{ rule }] },
    ]),
  );
  const group = 'rules.compare.example.com';
  await t
    .crd(crd(group, 'Rule', { versions: [{ name: 'v1', schema: object({ spec: object(properties) }) }] }))
    .catch(() => undefined);
  for (const name of Object.keys(rules))
    for (const number of ['1', '1.0', '1e0', '2', '1.5'])
      await t.ask(
        `${rules[name]}: ${number}`,
        'POST',
        `${resource(group, 'v1', 'rules', 'default')}?dryRun=All`,
        {
          body: JSON.stringify(custom(group, 'v1', 'Rule', 'r', { spec: { [name]: 0 } })).replace(
            ':0}',
            `:${number}}`,
          ),
        },
      );
}

export async function formats(t) {
  const FORMATS = [
    ['%e', '1.5'],
    ['%e', '0.0'],
    ['%e', '1e21'],
    ['%e', '123456789'],
    ['%.0e', '1.5'],
    ['%.3e', '1.23456'],
    ['%f', '1.5'],
    ['%f', '1'],
    ['%.2f', '1.005'],
    ['%.0f', '2.5'],
    ['%f', '1e21'],
    ['%d', '1'],
    ['%d', '1.0'],
    ['%d', '1u'],
    ['%d', "'a'"],
    ['%b', '5'],
    ['%b', 'true'],
    ['%b', '-5'],
    ['%x', '255'],
    ['%X', '255'],
    ['%x', "'hi'"],
    ['%X', "b'hi'"],
    ['%x', '-1'],
    ['%o', '8'],
    ['%o', '-8'],
    ['%s', '1.0'],
    ['%s', '1e21'],
    ['%s', '1e-7'],
    ['%s', '[1,2.0]'],
    ['%s', "{'a':1.5}"],
    ['%s', 'null'],
    ['%s', 'true'],
    ['%s', "b'a'"],
    ['%s', "duration('1h')"],
    ['%s', "timestamp('2020-01-01T00:00:00Z')"],
    ['%s', 'int'],
    ['%f', "double('NaN')"],
    ['%f', "double('Infinity')"],
    ['%e', "double('-Infinity')"],
    ['%s', "double('NaN')"],
    ['%%', '1'],
    ['%5d', '1'],
    ['%q', '1'],
    ['%', '1'],
    ['%.', '1'],
    ['%s %s', '1'],
    ['%.1000f', '1.0'],
  ];
  for (const [format, argument] of FORMATS) {
    const rule = `'${format}'.format([${argument}]) == 'x'`;
    await t.ask(
      `${format} of ${argument}`,
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
      {
        body: crd('formats.compare.example.com', 'Format', {
          versions: [
            {
              name: 'v1',
              schema: object({
                spec: {
                  type: 'string',
                  'x-kubernetes-validations': [
                    { rule, messageExpression: `'${format}'.format([${argument}])` },
                  ],
                },
              }),
            },
          ],
        }),
        pick: () => undefined,
      },
    );
  }
  const fields = Object.fromEntries(
    FORMATS.slice(0, 40)
      .filter(([f, a]) => f !== '%%' && !(f === '%d' && (a === "'a'" || a === '1.0')))
      .map(([format, argument], i) => [
        `f${i}`,
        {
          type: 'string',
          'x-kubernetes-validations': [
            { rule: 'false', messageExpression: `'<${format}>'.format([${argument}])` },
          ],
        },
      ]),
  );
  const group = 'formatted.compare.example.com';
  await t.crd(
    crd(group, 'Formatted', { versions: [{ name: 'v1', schema: object({ spec: object(fields) }) }] }),
  );
  await t.until(resource(group, 'v1', 'formatteds', 'default'));
  for (const field of Object.keys(fields))
    await t.ask(
      `message ${fields[field]['x-kubernetes-validations'][0].messageExpression}`,
      'POST',
      `${resource(group, 'v1', 'formatteds', 'default')}?dryRun=All`,
      {
        body: custom(group, 'v1', 'Formatted', 'f', { spec: { [field]: 'a' } }),
      },
    );
}
