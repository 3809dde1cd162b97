// Numbers as they stand in the body. JavaScript's own numbers would hide the difference between 1 and 1.0 and
// everything beyond 2^53, so bodies are written and read as text here.
import { object } from '../lib/fixtures.mjs';
import { install } from './schemas/install.mjs';

/** The body of a GET, unparsed. */
const text = (t, path) =>
  new Promise((resolve, reject) => {
    const { lib, agent, url, token } = t.client;
    lib
      .get(
        new URL(path, url),
        { agent, headers: token ? { authorization: `Bearer ${token}` } : {} },
        (res) => {
          let all = '';
          res
            .on('data', (chunk) => {
              all += chunk;
            })
            .on('end', () => resolve(all));
        },
      )
      .on('error', reject);
  });

export async function numbers(t) {
  const w = await install(
    t,
    'numbers',
    object({
      spec: object({
        integer: { type: 'integer' },
        int32: { type: 'integer', format: 'int32' },
        int64: { type: 'integer', format: 'int64' },
        number: { type: 'number' },
        float: { type: 'number', format: 'float' },
        intOrString: { 'x-kubernetes-int-or-string': true },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        limit: { type: 'integer', maximum: 9007199254740992 },
      }),
    }),
  );
  const cases = {
    integer: [
      '0',
      '-0',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
      '9223372036854775808',
      '1.0',
      '-1.00',
      '1e3',
      '1.5e1',
      '1.5',
      '1e-1',
      '1e18',
      '1e19',
      '1e30',
    ],
    int32: ['2147483647', '2147483648', '-2147483648', '1.0', '3e9'],
    int64: ['9007199254740993', '9223372036854775808', '2.0', '2.5'],
    number: [
      '1',
      '1.0',
      '0.1',
      '-0.0',
      '1.10',
      '1e2',
      '1E+2',
      '1e21',
      '123456789012345678901234567890',
      '9007199254740993',
      '1e-7',
      '0.000001',
      '1.7976931348623157e308',
      '5e-324',
      '3.141592653589793238',
    ],
    float: ['0.1', '1e38', '1e39', '16777217'],
    intOrString: ['9223372036854775807', '1.0', '1e2'],
    any: ['1.0', '12345678901234567890', '9007199254740993', '1e5', '-0', '0.30000000000000004'],
    limit: ['9007199254740992', '9007199254740993'],
  };
  const number = (answer, field) => answer.match(new RegExp(`"${field}":\\s*([^,}\\s]+)`))?.[1];
  for (const [field, literals] of Object.entries(cases)) {
    for (const [i, literal] of literals.entries()) {
      const name = `${field.toLowerCase()}-${i}`;
      const { status, body } = await t.client.request('POST', w.url, {
        body: `{"apiVersion":"${w.group}/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":{"${field}":${literal}}}`,
      });
      t.note(`${field}: ${literal}`, {
        status,
        causes: body.details?.causes,
        read: status === 201 ? number(await text(t, `${w.url}/${name}`), field) : undefined,
      });
    }
  }
  await w.seed('patched', { spec: { any: 1 } });
  for (const [label, body, type] of [
    ['a merge patch', '{"spec":{"integer":9007199254740993,"number":1.0}}', 'application/merge-patch+json'],
    [
      'a JSON patch',
      '[{"op":"add","path":"/spec/integer","value":9007199254740995},{"op":"add","path":"/spec/number","value":2.50}]',
      'application/json-patch+json',
    ],
  ]) {
    await t.setup('PATCH', `${w.url}/patched`, { body, type });
    const answer = await text(t, `${w.url}/patched`);
    t.note(
      `${label} keeps every digit`,
      ['integer', 'number'].map((f) => number(answer, f)),
    );
  }
}
