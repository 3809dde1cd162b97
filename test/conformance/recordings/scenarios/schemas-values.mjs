// Value validation: which values each schema keyword refuses, and with what Status. One fault a step.
import { CRDS, crd, integer, object, string } from '../lib/fixtures.mjs';
import { install } from './schemas/install.mjs';

const number = { type: 'number' };
const boolean = { type: 'boolean' };
const list = (items, rest) => ({ type: 'array', items, ...rest });
const map = (values, rest) => ({ type: 'object', additionalProperties: values, ...rest });

export async function wrongTypes(t) {
  const w = await install(
    t,
    'types',
    object({
      spec: object({
        text: string,
        count: integer,
        ratio: number,
        on: boolean,
        tags: list(string),
        labels: map(string),
        inner: object({ text: string }),
        rows: list(object({ count: integer })),
        table: map(object({ on: boolean })),
        either: { 'x-kubernetes-int-or-string': true },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        maybe: { type: 'string', nullable: true },
        maybes: list({ type: 'string', nullable: true }),
        maybeMap: map({ type: 'integer', nullable: true }),
      }),
    }),
  );
  await w.tries([
    [
      'a value of every type',
      {
        text: 'a',
        count: 1,
        ratio: 0.5,
        on: true,
        tags: ['x'],
        labels: { a: 'b' },
        inner: { text: '' },
        rows: [{ count: -1 }],
        table: { a: { on: false } },
      },
    ],
  ]);
  await w.outcomes([
    ['an integer where a string belongs', { text: 1 }],
    ['a boolean where a string belongs', { text: true }],
    ['a list where a string belongs', { text: ['a'] }],
    ['an object where a string belongs', { text: { a: 1 } }],
    ['a string where an integer belongs', { count: '1' }],
    ['a fraction where an integer belongs', { count: 1.5 }],
    ['a boolean where an integer belongs', { count: true }],
    ['a string where a number belongs', { ratio: '0.5' }],
    ['an integer where a number belongs', { ratio: 3 }],
    ['a string where a boolean belongs', { on: 'true' }],
    ['an integer where a boolean belongs', { on: 0 }],
    ['a string where a list belongs', { tags: 'x' }],
    ['an object where a list belongs', { tags: { 0: 'x' } }],
    ['a list item of the wrong type', { tags: ['x', 2] }],
    ['a list where an object belongs', { inner: [] }],
    ['a string where an object belongs', { inner: 'x' }],
    ['a list where a map belongs', { labels: ['a'] }],
    ['a map value of the wrong type', { labels: { a: 'b', c: 3 } }],
    ['a fault inside a list item', { rows: [{ count: 1 }, { count: 'x' }] }],
    ['a fault inside a map value', { table: { some: { on: 'x' } } }],
    [
      'a map key with a dot and a slash in the path of the fault',
      { table: { 'example.com/a.b': { on: 1 } } },
    ],
    ['int-or-string: an integer', { either: 5 }],
    ['int-or-string: a string', { either: '25%' }],
    ['int-or-string: a fraction', { either: 2.5 }],
    ['int-or-string: a boolean', { either: true }],
    ['int-or-string: a list', { either: [1] }],
  ]);
  await w.tries([
    ['a field without a type takes anything', { anything: [1, 'a', { b: [true, null, 1.5] }] }],
    ['an empty string, list, map and object', { text: '', tags: [], labels: {}, inner: {} }],
  ]);
  await w.create('spec is a string', 'spec-string', { spec: 'x' });
  await w.create('spec is a list', 'spec-list', { spec: [] });
  await w.create('spec is an integer', 'spec-int', { spec: 7 });
  await w.create('no spec at all', 'no-spec', {});
}

export async function nulls(t) {
  const w = await install(
    t,
    'nulls',
    object({
      spec: object({
        text: string,
        either: { 'x-kubernetes-int-or-string': true },
        inner: object({ text: string }),
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        maybe: { type: 'string', nullable: true },
        maybeInner: object({ text: string }, { nullable: true }),
        maybeList: list(string, { nullable: true }),
        tags: list(string),
        maybes: list({ type: 'string', nullable: true }),
        labels: map(string),
        maybeMap: map({ type: 'integer', nullable: true }),
        rows: list(object({ text: string })),
        picky: { type: 'string', nullable: true, minLength: 3, enum: ['abc', 'abcd'] },
        choice: { type: 'string', nullable: true, enum: ['a', null] },
        needed: object({ a: string }, { required: ['a'] }),
        neededMaybe: object({ a: { type: 'string', nullable: true } }, { required: ['a'] }),
      }),
    }),
  );
  await w.tries([
    ['null for a field that is not nullable is dropped', { text: null }],
    ['null for an object that is not nullable is dropped', { inner: null }],
    ['null inside an object is dropped', { inner: { text: null } }],
    ['null for int-or-string', { either: null }],
    ['null for a field that takes anything', { anything: null }],
    ['null inside a field that takes anything', { anything: { a: null, b: [null] } }],
    ['null for a nullable string', { maybe: null }],
    ['null for a nullable object', { maybeInner: null }],
    ['null for a nullable list', { maybeList: null }],
    ['null as an item of a list', { tags: ['a', null] }],
    ['null as a nullable item of a list', { maybes: ['a', null] }],
    ['null as a value of a map is dropped', { labels: { a: null, b: 'c' } }],
    ['null as a nullable value of a map', { maybeMap: { a: null, b: 1 } }],
    ['null as an object in a list', { rows: [null] }],
    ['null for a nullable field with an enum that lacks it', { picky: null }],
    ['null for a nullable field with an enum that has it', { choice: null }],
    ['null for a required field', { needed: { a: null } }],
    ['null for a required nullable field', { neededMaybe: { a: null } }],
  ]);
  await w.create('null for spec', 'null-spec', { spec: null });
  await w.seed('patched', { spec: { text: 'a', maybe: 'b' } });
  await w.patch('a merge patch with null removes a field', 'patched', { spec: { text: null } });
  await w.patch('a merge patch with null removes a nullable field as well', 'patched', {
    spec: { maybe: null },
  });
  await w.patch('a JSON patch sets a nullable field to null', 'patched', [
    { op: 'add', path: '/spec/maybe', value: null },
  ]);
  await w.patch('a JSON patch with null for a field that is not nullable', 'patched', [
    { op: 'add', path: '/spec/text', value: null },
  ]);
}

export async function formats(t) {
  const texts = [
    'date-time',
    'date',
    'duration',
    'ipv4',
    'ipv6',
    'cidr',
    'mac',
    'byte',
    'uuid',
    'uuid4',
    'email',
    'uri',
    'hostname',
    'hexcolor',
    'password',
    'k8s-short-name',
    'k8s-long-name',
    'semver',
  ];
  const w = await install(
    t,
    'formats',
    object({
      spec: object({
        ...Object.fromEntries(texts.map((format) => [format, { type: 'string', format }])),
        int32: { type: 'integer', format: 'int32' },
        int64: { type: 'integer', format: 'int64' },
        uint8: { type: 'integer', format: 'uint8' },
        float: { type: 'number', format: 'float' },
        double: { type: 'number', format: 'double' },
      }),
    }),
  );
  const cases = [
    ['date-time', '2024-02-29T12:30:45Z', true],
    ['date-time', '2024-02-29T12:30:45.123+02:00', true],
    ['date-time', '2024-02-30T12:30:45Z', false],
    ['date-time', '2024-02-29 12:30:45', false],
    ['date-time', '2024-02-29', false],
    ['date-time', '', false],
    ['date', '2024-02-29', true],
    ['date', '2023-02-29', false],
    ['date', '24-02-29', false],
    ['duration', '1h30m', true],
    ['duration', '3 days', true],
    ['duration', 'PT1H', true],
    ['duration', 'an hour', false],
    ['duration', '10', false],
    ['ipv4', '10.0.0.1', true],
    ['ipv4', '10.0.0.256', false],
    ['ipv4', '::1', false],
    ['ipv4', '010.000.000.001', true],
    ['ipv6', '2001:db8::1', true],
    ['ipv6', '2001:db8::g', false],
    ['ipv6', '10.0.0.1', false],
    ['cidr', '10.0.0.0/8', true],
    ['cidr', '2001:db8::/32', true],
    ['cidr', '10.0.0.0', false],
    ['cidr', '10.0.0.0/33', false],
    ['mac', '00:1a:2b:3c:4d:5e', true],
    ['mac', '00:1a:2b:3c:4d', false],
    ['byte', 'aGVsbG8=', true],
    ['byte', 'aGVsbG8', false],
    ['byte', '*', false],
    ['byte', '', false],
    ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', true],
    ['uuid', 'a0eebc999c0b4ef8bb6d6bb9bd380a11', true],
    ['uuid', 'a0eebc99', false],
    ['uuid4', 'a0eebc999c0b1ef8bb6d6bb9bd380a11', false],
    ['email', 'jo@example.com', true],
    ['email', 'Jo <jo@example.com>', true],
    ['email', 'jo', false],
    ['uri', 'https://example.com/a?b=c', true],
    ['uri', '/a/b', true],
    ['uri', 'example.com', false],
    ['hostname', 'a-1.example.com', true],
    ['hostname', 'a_b', false],
    ['hostname', '-a', false],
    ['hexcolor', '#ff00aa', true],
    ['hexcolor', '#ff00a', false],
    ['password', 'anything', true],
    ['k8s-short-name', 'my-name', true],
    ['k8s-short-name', 'my.name', false],
    ['k8s-long-name', 'my.name-1', true],
    ['k8s-long-name', 'My.name', false],
    ['semver', 'anything: the format is unknown', true],
    ['int32', 2147483647, true],
    ['int32', 2147483648, false],
    ['int32', -2147483649, false],
    ['int32', 1.5, false],
    ['int32', 'x', false],
    ['int64', 4294967296, true],
    ['uint8', 300, true],
    ['float', 1.5, true],
    ['float', 1e39, false],
    ['double', 1e300, true],
    ['double', 2, true],
  ];
  await w.outcomes(
    cases.map(([format, value, good]) => [
      `${format} ${good ? 'takes' : 'refuses'} ${JSON.stringify(value)}`,
      { [format]: value },
    ]),
  );
  for (const [type, format] of [
    ['string', 'semver'],
    ['integer', 'uint8'],
    ['boolean', 'byte'],
  ]) {
    const schema = object({ a: { type, format } });
    await t.step(`a CRD with the format ${format} on a ${type}`, 'POST', `${CRDS}?dryRun=All`, {
      body: crd('schemas-formats-2.conf.example.com', 'Odd', { versions: [{ name: 'v1', schema }] }),
      pick: (b) => b.metadata.name,
    });
  }
}

export async function keywords(t) {
  const w = await install(
    t,
    'keywords',
    object({
      spec: object({
        enum: { type: 'string', enum: ['small', 'large'] },
        enumInt: { type: 'integer', enum: [1, 2, 3] },
        enumObject: object({ a: integer }, { enum: [{ a: 1 }, { a: 2 }] }),
        minLength: { type: 'string', minLength: 2 },
        maxLength: { type: 'string', maxLength: 3 },
        minItems: list(integer, { minItems: 2 }),
        maxItems: list(integer, { maxItems: 2 }),
        notUnique: list(integer, { uniqueItems: false }),
        minProperties: map(integer, { minProperties: 1 }),
        maxProperties: map(integer, { maxProperties: 1 }),
        maxFields: object({ a: integer, b: integer }, { maxProperties: 1 }),
        minimum: { type: 'integer', minimum: 3 },
        maximum: { type: 'integer', maximum: 7 },
        over: { type: 'integer', minimum: 3, exclusiveMinimum: true },
        under: { type: 'number', maximum: 7.5, exclusiveMaximum: true },
        multipleOf: { type: 'integer', multipleOf: 5 },
        multipleOfPart: { type: 'number', multipleOf: 0.25 },
        required: object({ a: string, b: string }, { required: ['a', 'b'] }),
        rows: list(object({ key: string }, { required: ['key'] })),
        bounded: map({ type: 'integer', maximum: 9 }),
        eitherMax: { 'x-kubernetes-int-or-string': true, maximum: 5, maxLength: 2 },
        combined: { type: 'string', minLength: 2, pattern: '^[a-z]*$' },
      }),
    }),
  );
  await w.tries([
    ['enum takes one of its values', { enum: 'small' }],
    ['enum refuses another', { enum: 'medium' }],
    ['enum refuses the empty string', { enum: '' }],
    ['an integer enum takes one of its values', { enumInt: 2 }],
    ['an integer enum refuses another', { enumInt: 4 }],
    ['an object enum takes one of its values', { enumObject: { a: 2 } }],
    ['an object enum refuses another', { enumObject: { a: 3 } }],
    ['minLength takes its length', { minLength: 'ab' }],
    ['minLength refuses a shorter string', { minLength: 'a' }],
    ['minLength counts code points, not bytes', { minLength: 'é' }],
    ['maxLength takes its length', { maxLength: 'abc' }],
    ['maxLength counts code points, not UTF-16 units', { maxLength: '😀😀😀' }],
    ['maxLength refuses a longer string', { maxLength: 'abcd' }],
    ['minItems refuses a shorter list', { minItems: [1] }],
    ['minItems takes its length', { minItems: [1, 2] }],
    ['maxItems refuses a longer list', { maxItems: [1, 2, 3] }],
    ['uniqueItems: false lets duplicates in', { notUnique: [1, 1] }],
    ['minProperties refuses an empty map', { minProperties: {} }],
    ['maxProperties refuses a larger map', { maxProperties: { a: 1, b: 2 } }],
    ['maxProperties of an object with fields', { maxFields: { a: 1, b: 2 } }],
    ['minimum takes its own value', { minimum: 3 }],
    ['minimum refuses less', { minimum: 2 }],
    ['maximum takes its own value', { maximum: 7 }],
    ['maximum refuses more', { maximum: 8 }],
    ['exclusiveMinimum refuses its own value', { over: 3 }],
    ['exclusiveMinimum takes more', { over: 4 }],
    ['exclusiveMaximum refuses its own value', { under: 7.5 }],
    ['exclusiveMaximum takes less', { under: 7.25 }],
    ['multipleOf takes a multiple', { multipleOf: -15 }],
    ['multipleOf refuses another number', { multipleOf: 7 }],
    ['multipleOf a fraction takes a multiple', { multipleOfPart: 1.75 }],
    ['multipleOf a fraction refuses another number', { multipleOfPart: 1.3 }],
    ['required fields that are there', { required: { a: '', b: '' } }],
    ['a required field that is missing', { required: { a: 'x' } }],
    ['a required field missing from a list item', { rows: [{ key: 'x' }, {}] }],
    ['a map value above its maximum', { bounded: { low: 1, high: 10 } }],
    ['int-or-string: an integer above its maximum', { eitherMax: 6 }],
    ['int-or-string: a string beyond its maxLength', { eitherMax: 'abc' }],
    ['int-or-string: each keyword looks only at its own type', { eitherMax: '99' }],
    ['the second keyword of a field fails', { combined: 'AB' }],
  ]);
}

export async function patterns(t) {
  const patterns = {
    part: 'b+',
    whole: '^[a-z]+$',
    noCase: '(?i)^abc$',
    named: '^(?P<major>\\d+)\\.\\d+$',
    greek: '^\\p{Greek}+$',
    posix: '^[[:upper:]]+$',
    anchors: '\\Aab\\z',
    literal: '^\\Qa.b\\E$',
    multiLine: '(?m)^b$',
    dotAll: '(?s)^a.b$',
    hex: '^\\x41$',
    notWord: '^\\W+$',
    ungreedy: '(?U)^a+$',
    slash: '^a/b$',
    octal: '^[^\\x00-\\x7F]+$',
  };
  const w = await install(
    t,
    'patterns',
    object({
      spec: object(
        Object.fromEntries(Object.entries(patterns).map(([k, pattern]) => [k, { type: 'string', pattern }])),
      ),
    }),
  );
  const cases = [
    ['part', 'abc', true],
    ['part', 'ac', false],
    ['whole', 'abc', true],
    ['whole', 'abc\n', false],
    ['whole', '', false],
    ['noCase', 'ABC', true],
    ['noCase', 'abd', false],
    ['named', '1.25', true],
    ['named', '1', false],
    ['greek', 'αβγ', true],
    ['greek', 'abc', false],
    ['posix', 'ABC', true],
    ['posix', 'É', false],
    ['anchors', 'ab', true],
    ['anchors', 'ab\n', false],
    ['literal', 'a.b', true],
    ['literal', 'axb', false],
    ['multiLine', 'a\nb\nc', true],
    ['multiLine', 'a b c', false],
    ['dotAll', 'a\nb', true],
    ['dotAll', 'ab', false],
    ['hex', 'A', true],
    ['hex', 'a', false],
    ['notWord', 'é!', true],
    ['notWord', 'a', false],
    ['ungreedy', 'aaa', true],
    ['slash', 'a/b', true],
    ['octal', 'é😀', true],
    ['octal', 'e', false],
  ];
  await w.outcomes(
    cases.map(([field, value, good]) => [
      `${patterns[field]} ${good ? 'matches' : 'does not match'} ${JSON.stringify(value)}`,
      { [field]: value },
    ]),
  );
  for (const [label, pattern] of [
    ['look-ahead', '^(?=a)'],
    ['a back-reference', '(a)\\1'],
    ['look-behind', '(?<=a)b'],
    ['an open bracket', '[a'],
    ['a repeat count that is too large', 'a{1001}'],
  ]) {
    const schema = object({ a: { type: 'string', pattern } });
    await t.step(`a CRD whose pattern has ${label}`, 'POST', `${CRDS}?dryRun=All`, {
      body: crd('schemas-patterns-2.conf.example.com', 'Odd', { versions: [{ name: 'v1', schema }] }),
    });
  }
}

export async function junctors(t) {
  const w = await install(
    t,
    'junctors',
    object({
      spec: object({
        all: { type: 'integer', allOf: [{ minimum: 3 }, { multipleOf: 2 }] },
        any: { type: 'string', anyOf: [{ pattern: '^a' }, { minLength: 5 }] },
        one: { type: 'integer', oneOf: [{ maximum: 5 }, { minimum: 3 }] },
        not: { type: 'string', not: { pattern: '^secret' } },
        notEnum: { type: 'string', not: { enum: ['root', 'admin'] } },
        eitherField: object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
        anyField: object({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
        notBoth: object({ a: string, b: string }, { not: { required: ['a', 'b'] } }),
        nested: object(
          { mode: string, size: integer },
          {
            anyOf: [
              { properties: { mode: { enum: ['auto'] } } },
              { required: ['size'], properties: { size: { minimum: 1 } } },
            ],
          },
        ),
        port: {
          'x-kubernetes-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
          maximum: 65535,
        },
        rows: list(object({ a: integer }), { allOf: [{ items: { properties: { a: { maximum: 3 } } } }] }),
      }),
    }),
  );
  await w.tries([
    ['allOf: both hold', { all: 4 }],
    ['allOf: the first fails', { all: 2 }],
    ['allOf: the second fails', { all: 5 }],
    ['allOf: none holds', { all: 1 }],
    ['anyOf: the first holds', { any: 'ab' }],
    ['anyOf: the second holds', { any: 'bcdef' }],
    ['anyOf: none holds', { any: 'b' }],
    ['oneOf: one holds', { one: 2 }],
    ['oneOf: both hold', { one: 4 }],
    ['not: its schema does not hold', { not: 'open' }],
    ['not: its schema holds', { not: 'secret-1' }],
    ['not an enum: its schema holds', { notEnum: 'root' }],
    ['oneOf with required: one is there', { eitherField: { b: 'x' } }],
    ['oneOf with required: both are there', { eitherField: { a: 'x', b: 'x' } }],
    ['oneOf with required: neither is there', { eitherField: {} }],
    ['anyOf with required: both are there', { anyField: { a: 'x', b: 'x' } }],
    ['anyOf with required: neither is there', { anyField: {} }],
    ['not with required: one is there', { notBoth: { a: 'x' } }],
    ['not with required: both are there', { notBoth: { a: 'x', b: 'x' } }],
    ['anyOf over fields: the first holds', { nested: { mode: 'auto' } }],
    ['anyOf over fields: the second holds', { nested: { mode: 'manual', size: 1 } }],
    ['anyOf over fields: none holds', { nested: { mode: 'manual', size: 0 } }],
    ['int-or-string written as anyOf: an integer', { port: 80 }],
    ['int-or-string written as anyOf: a string', { port: 'http' }],
    ['int-or-string written as anyOf: too large', { port: 65536 }],
    ['int-or-string written as anyOf: a boolean', { port: true }],
    ['allOf over the items of a list: all hold', { rows: [{ a: 3 }] }],
    ['allOf over the items of a list: one fails', { rows: [{ a: 1 }, { a: 4 }] }],
  ]);
}
