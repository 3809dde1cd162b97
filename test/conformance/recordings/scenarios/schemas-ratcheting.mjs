// Ratcheting: after a schema was tightened, an update is not refused for what it leaves as it was.
import { integer, object, string } from '../lib/fixtures.mjs';
import { install } from './schemas/install.mjs';

const list = (items, rest) => ({ type: 'array', maxItems: 20, items, ...rest });
const map = (values) => ({ type: 'object', maxProperties: 20, additionalProperties: values });
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const short = { type: 'string', maxLength: 40 };
const checked = (schema, ...rules) => ({ ...schema, 'x-kubernetes-validations': rules });

export async function ratchetKeywords(t) {
  // `limit` is what is added to each field by the tighter schema.
  const schema = (tight) => {
    const limit = (field, more) => (tight ? { ...field, ...more } : field);
    const row = object(
      { name: string, size: limit(integer, { maximum: 10 }), note: string },
      { required: ['name'] },
    );
    return object({
      spec: object(
        {
          note: string,
          name: limit(string, { pattern: '^[a-z]+$' }),
          mode: limit(string, { enum: ['a', 'b'] }),
          when: limit(string, { format: 'date' }),
          inner: limit(object({ a: string, b: string }), { required: ['b'] }),
          words: list(string, limit({}, { maxItems: 2 })),
          keyed: list(row, keyed),
          plain: list(row),
          table: map(row),
          all: limit(object({ a: string, b: string }), { allOf: [{ properties: { a: { maxLength: 3 } } }] }),
          either: limit(object({ a: string, b: string, c: string }), {
            oneOf: [{ required: ['a'] }, { required: ['b'] }],
          }),
          type: tight ? integer : string,
        },
        tight ? { required: ['must'] } : {},
      ),
    });
  };
  const tight = schema(true);
  tight.properties.spec.properties.must = string;
  const w = await install(t, 'ratchet', schema(false));
  const spec = {
    name: 'UPPER',
    mode: 'z',
    when: 'soon',
    inner: { a: 'x' },
    words: ['1', '2', '3'],
    keyed: [
      { name: 'bad', size: 99 },
      { name: 'good', size: 1 },
    ],
    plain: [
      { name: 'bad', size: 99 },
      { name: 'good', size: 1 },
    ],
    table: { bad: { name: 'x', size: 99 }, good: { name: 'y', size: 1 } },
    all: { a: 'too long', b: 'x' },
    either: { a: 'x', b: 'x' },
    type: 'text',
  };
  await w.seed('a', { spec });
  await w.seed('b', { spec });
  // spec lacks a required field now, so that every change of spec would be refused for that alone: it is
  // added to `a` at once.
  await w.reschema(tight, () => w.refuses({ spec: { must: 'x', mode: 'z' } }));
  const quick = { pick: (b) => ({ generation: b.metadata.generation }) };
  await w.patch('a label on an object that is not valid', 'b', { metadata: { labels: { a: 'b' } } }, quick);
  await w.patch('another field while a required one is missing', 'b', { spec: { note: 'x' } });
  await w.patch('the missing field is given; all else stays', 'a', { spec: { must: 'x' } }, quick);
  await w.patch('another field changes', 'a', { spec: { note: 'x' } }, quick);
  for (const [label, change] of [
    ['a pattern: another bad value', { name: 'OTHER' }],
    ['an enum: another bad value', { mode: 'y' }],
    ['a format: another bad value', { when: 'later' }],
    ['a type: another bad value', { type: 'other' }],
    ['required: another field of the same object', { inner: { a: 'y' } }],
    ['maxItems: another list that is still too long', { words: ['1', '2', '4'] }],
    [
      'a keyed list: another item changes',
      {
        keyed: [
          { name: 'bad', size: 99 },
          { name: 'good', size: 2 },
        ],
      },
    ],
    [
      'a keyed list: another order',
      {
        keyed: [
          { name: 'good', size: 2 },
          { name: 'bad', size: 99 },
        ],
      },
    ],
    [
      'a keyed list: another field of the bad item',
      {
        keyed: [
          { name: 'good', size: 2 },
          { name: 'bad', size: 99, note: 'x' },
        ],
      },
    ],
    ['a keyed list: the bad field changes', { keyed: [{ name: 'bad', size: 98 }] }],
    [
      'a keyed list: a new bad item',
      {
        keyed: [
          { name: 'bad', size: 99 },
          { name: 'new', size: 99 },
        ],
      },
    ],
    [
      'an atomic list: another item changes',
      {
        plain: [
          { name: 'bad', size: 99 },
          { name: 'good', size: 2 },
        ],
      },
    ],
    ['an atomic list: the same items', { plain: spec.plain, note: 'y' }],
    ['a map: another value changes', { table: { good: { name: 'z', size: 1 } } }],
    ['a map: another field of the bad value', { table: { bad: { name: 'z' } } }],
    ['a map: the bad field changes', { table: { bad: { size: 98 } } }],
    ['allOf: another field of the same object', { all: { b: 'y' } }],
    ['oneOf: another field of the same object', { either: { c: 'x' } }],
    ['a good value', { mode: 'a' }],
    ['and the old bad value again', { mode: 'z' }],
  ])
    await w.patch(label, 'a', { spec: change }, quick);
  await w.replace(
    'by PUT, nothing bad changes',
    'a',
    (o) => {
      o.spec.note = 'z';
    },
    quick,
  );
  await w.apply(
    'by apply, while a value has the wrong type',
    'a',
    { spec: { note: 'applied' } },
    { query: '&force=true' },
  );
  await w.patch('a value of the right type', 'a', { spec: { type: 5 } }, quick);
  await w.apply(
    'by apply, nothing bad changes',
    'a',
    { spec: { note: 'applied' } },
    { query: '&force=true', ...quick },
  );
  await w.apply('by apply, a bad value', 'a', { spec: { when: 'never' } }, { query: '&force=true' });
  await w.create('a new object', 'c', { spec: { must: 'x', when: 'soon' } });
}

export async function ratchetRules(t) {
  const schema = (tight) => {
    const limit = (field, ...rules) => (tight ? checked(field, ...rules) : field);
    const row = limit(
      object(
        {
          name: short,
          size: limit(integer, { rule: 'self <= 10', message: 'too large' }),
          note: short,
        },
        { required: ['name'] },
      ),
      { rule: 'self.name != "worst"', message: 'the worst' },
    );
    return object({
      spec: object({
        note: short,
        size: limit(integer, { rule: 'self <= 10', message: 'too large' }),
        pair: limit(object({ min: integer, max: integer, note: short }), {
          rule: 'self.min <= self.max',
          message: 'min above max',
        }),
        keyed: list(row, keyed),
        plain: list(row),
        table: map(row),
        words: limit(list(short), { rule: 'self.size() < 3', message: 'too many' }),
        step: limit(integer, { rule: 'self <= oldSelf', message: 'may not grow' }),
        optional: limit(
          integer,
          {
            rule: 'oldSelf.hasValue() || self < 0 || self >= 0',
            optionalOldSelf: true,
          },
          { rule: 'self < 10', message: 'too large' },
        ),
        said: limit(integer, {
          rule: 'self <= 10',
          messageExpression: '"%d is too large".format([self])',
          reason: 'FieldValueForbidden',
        }),
        set: list(limit(short, { rule: 'self != "bad"', message: 'is bad' }), {
          'x-kubernetes-list-type': 'set',
        }),
        broken: limit(short, { rule: 'int(self) > 0', message: 'must be a number' }),
      }),
    });
  };
  const w = await install(t, 'ratchet-cel', schema(false));
  const full = {
    size: 99,
    pair: { min: 2, max: 1 },
    keyed: [
      { name: 'bad', size: 99 },
      { name: 'good', size: 1 },
    ],
    plain: [{ name: 'bad', size: 99 }],
    table: { bad: { name: 'x', size: 99 } },
    words: ['1', '2', '3'],
    step: 5,
    optional: 99,
    said: 99,
    set: ['a', 'bad'],
    broken: 'x',
  };
  // One object a field, so that a step shows the warnings of one rule.
  for (const [field, value] of Object.entries(full)) await w.seed(field, { spec: { [field]: value } });
  await w.seed('worst', { spec: { keyed: [{ name: 'worst', size: 1 }] } });
  await w.reschema(schema(true), () => w.refuses({ spec: { size: 99 } }));
  const quick = { pick: (b) => b.metadata.generation };
  for (const [name, label, change] of [
    ['size', 'a field: nothing bad changes', { note: 'x' }],
    ['size', 'a field: another bad value', { size: 98 }],
    ['said', 'a message expression and a reason, in the warning', { note: 'x' }],
    ['said', 'a message expression and a reason, in the refusal', { said: 98 }],
    ['pair', 'an object: nothing of it changes', { note: 'x' }],
    ['pair', 'an object: another field of it changes', { pair: { note: 'x' } }],
    [
      'keyed',
      'a keyed list: another item changes',
      {
        keyed: [
          { name: 'bad', size: 99 },
          { name: 'good', size: 2 },
        ],
      },
    ],
    [
      'keyed',
      'a keyed list: another field of the bad item',
      { keyed: [{ name: 'bad', size: 99, note: 'x' }] },
    ],
    ['keyed', 'a keyed list: the bad field changes', { keyed: [{ name: 'bad', size: 98 }] }],
    [
      'worst',
      'a rule on the item: another item',
      {
        keyed: [
          { name: 'worst', size: 1 },
          { name: 'good', size: 1 },
        ],
      },
    ],
    ['worst', 'a rule on the item: another field of it', { keyed: [{ name: 'worst', size: 2 }] }],
    ['plain', 'an atomic list: nothing of it changes', { note: 'x' }],
    [
      'plain',
      'an atomic list: another item comes',
      {
        plain: [
          { name: 'bad', size: 99 },
          { name: 'good', size: 1 },
        ],
      },
    ],
    ['set', 'a set: nothing of it changes', { note: 'x' }],
    ['set', 'a set: another item comes', { set: ['a', 'bad', 'c'] }],
    ['table', 'a map: another value comes', { table: { good: { name: 'y', size: 1 } } }],
    ['table', 'a map: the bad value changes', { table: { bad: { size: 98 } } }],
    ['words', 'a rule on a list: nothing of it changes', { note: 'x' }],
    ['words', 'a rule on a list: other items, still too many', { words: ['1', '2', '4'] }],
    ['step', 'a transition rule that holds', { note: 'x' }],
    ['step', 'a transition rule is not ratcheted', { step: 6 }],
    ['optional', 'beside a rule with an optional old self', { note: 'x' }],
    ['broken', 'a rule that fails to run is not ratcheted', { note: 'x' }],
  ])
    await w.patch(label, name, { spec: change }, quick);
  await w.patch('an update that changes nothing at all', 'size', { spec: { size: 99 } }, quick);
  await w.create('a new object', 'new', { spec: { size: 99 } });
}
