import { parseLens } from '@instar/lens';
import type { JsonObject, KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { answerReview } from '../answer-review.ts';
import { bytesOf } from '../http/answer.ts';
import { recordedReviews } from '../testing/recorded-reviews.ts';
import { conversionReview, cronTab } from '../testing/reviews.ts';
import { type ConversionOptions, conversion } from './conversion.ts';
import type { ConversionDefinition, ConvertFunction, LensConverter } from './definition.ts';

/** Sets a field for each step taken, to distinguish the routes. */
const via =
  (step: string): ConvertFunction =>
  (object) => ({ ...object, spec: { ...(object['spec'] as JsonObject), [step]: true } });
const steps = (...names: string[]) => Object.fromEntries(names.map((name) => [name, via(name)]));
const kind = { group: 'example.com', kind: 'CronTab' };

async function convert(
  definition: ConversionDefinition,
  to: string,
  objects: readonly unknown[],
  options: ConversionOptions = {},
) {
  const { body, outcome } = await answerReview(
    conversion(definition, options),
    conversionReview(`example.com/${to}`, objects),
  );
  const { convertedObjects, result } = body['response'] as {
    convertedObjects: JsonObject[];
    result: { status: string; message?: string };
  };
  return { objects: convertedObjects, result, outcome, message: result.message };
}

describe('the route between two versions', () => {
  const hub = { ...kind, convert: steps('v1→hub', 'hub→v1', 'v2→hub', 'hub→v2', 'v3→hub', 'hub→v3') };

  it('leads through a hub', async () => {
    const { objects, result } = await convert(hub, 'v3', [cronTab('v1', 'a')]);
    expect(result).toEqual({ status: 'Success' });
    expect(objects).toEqual([cronTab('v3', 'a', { 'v1→hub': true, 'hub→v3': true })]);
  });

  it('is the direct step if there is one, otherwise the shortest route', async () => {
    const all = { ...kind, convert: { ...hub.convert, ...steps('v1->v3') } };
    expect((await convert(all, 'v3', [cronTab('v1', 'a')])).objects[0]!['spec']).toEqual({ 'v1->v3': true });
    expect((await convert(all, 'v2', [cronTab('v1', 'a')])).objects[0]!['spec']).toEqual({
      'v1→hub': true,
      'hub→v2': true,
    });
  });

  it('is required when the webhook is created, not when an object arrives', () => {
    const broken = (definition: ConversionDefinition) => () => conversion(definition);
    expect(broken({ ...kind, convert: steps('v1→v2') })).toThrow(
      'CronTab.example.com: there is no conversion from v2 to v1',
    );
    expect(
      broken({ ...kind, versions: ['v1', 'v2', 'v3'], convert: steps('v1→v2', 'v2→v1', 'v2→v3') }),
    ).toThrow('there is no conversion from v3 to v1, from v3 to v2');
    expect(
      broken({ ...kind, versions: ['v1', 'v2'], convert: steps('v1→v3', 'v3→v1', 'v1→v2', 'v2→v1') }),
    ).toThrow('a conversion names v3');
    expect(broken({ ...kind, convert: steps('v1=>v2') })).toThrow(`"v1=>v2" is not of the form 'v1→v2'`);
    expect(broken({ ...kind, convert: steps('v1→v1') })).toThrow('is not of the form');
    expect(broken({ ...kind, convert: { 'v1→v2': 7 as never } })).toThrow(
      'what converts v1→v2 is not a function',
    );
    expect(broken({ ...kind })).toThrow('a conversion needs at least two versions');
    expect(broken({ convert: steps('v1→v2', 'v2→v1') })).toThrow(
      'without a lens, group and kind must be given',
    );
  });

  it('leaves objects unchanged that are in that version already', async () => {
    const object = cronTab('v2', 'a', { x: 1 });
    expect((await convert(hub, 'v2', [object])).objects).toEqual([object]);
  });
});

describe('lenses', () => {
  const lens: LensConverter = {
    crd: 'crontabs.example.com',
    group: 'example.com',
    versions: ['v1', 'v2'],
    canConvert: () => true,
    convert: (object, to) =>
      ({
        ...object,
        apiVersion: `example.com/${to}`,
        spec: { ...(object['spec'] as object), lens: to },
      }) as KubeObject,
  };

  it('need no functions', async () => {
    expect((await convert({ lens }, 'v2', [cronTab('v1', 'a')])).objects).toEqual([
      cronTab('v2', 'a', { lens: 'v2' }),
    ]);
  });

  it('mix with functions, which take precedence', async () => {
    const mixed = { ...kind, lens, convert: steps('v2→v3', 'v3→v2', 'v2→v1') };
    expect((await convert(mixed, 'v3', [cronTab('v1', 'a')])).objects[0]!['spec']).toEqual({
      lens: 'v2',
      'v2→v3': true,
    });
    expect((await convert(mixed, 'v1', [cronTab('v2', 'a')])).objects[0]!['spec']).toEqual({ 'v2→v1': true });
  });

  it('are found by kind, by plural, or as the only one of the group', async () => {
    const policies: LensConverter = { ...lens, crd: 'policies.example.com' };
    const webhook = conversion([{ lens }, { lens: policies }]);
    const ask = async (kind: string) =>
      (await answerReview(webhook, conversionReview('example.com/v2', [{ ...cronTab('v1', 'a'), kind }])))
        .body['response'];
    expect(await ask('CronTab')).toMatchObject({ result: { status: 'Success' } });
    expect(await ask('Policy')).toMatchObject({ result: { status: 'Success' } });
    expect(await ask('Other')).toMatchObject({
      result: {
        status: 'Failure',
        message: expect.stringContaining('no conversion is registered for kind Other'),
      },
    });
    expect((await convert({ lens: policies }, 'v2', [cronTab('v1', 'a')])).result.status).toBe('Success');
    expect(() => conversion([{ lens }, { lens }])).toThrow(
      'there are two conversions for crontabs.example.com',
    );
  });
});

describe('objects', () => {
  const both = (fn: ConvertFunction): ConversionDefinition => ({
    ...kind,
    convert: { 'v1→v2': fn, 'v2→v1': fn },
  });
  const same: ConvertFunction = (object) => object;

  it('are returned in order and number', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `c-${i}`);
    const { objects } = await convert(
      both(same),
      'v2',
      names.map((name) => cronTab('v1', name, { pad: 'x'.repeat(500) })),
    );
    expect(objects.map((object) => (object['metadata'] as JsonObject)['name'])).toEqual(names);
    expect(new Set(objects.map(({ apiVersion }) => apiVersion))).toEqual(new Set(['example.com/v2']));
    expect((await convert(both(same), 'v2', [])).objects).toEqual([]);
  });

  it('may be converted asynchronously', async () => {
    const wait: ConvertFunction = async (object) => {
      await new Promise((resolve) =>
        setTimeout(resolve, ((object['metadata'] as JsonObject)['name'] as string).length),
      );
      return object;
    };
    const names = ['long-name', 'a', 'middle'];
    const { objects } = await convert(
      both(wait),
      'v2',
      names.map((name) => cronTab('v1', name)),
    );
    expect(objects.map((object) => (object['metadata'] as JsonObject)['name'])).toEqual(names);
  });

  it('keep their metadata except labels and annotations', async () => {
    const meddle: ConvertFunction = (object) => {
      const metadata = object['metadata'] as JsonObject;
      metadata['finalizers'] = [];
      delete metadata['creationTimestamp'];
      return { ...object, metadata: { ...metadata, labels: { new: 'label' }, generation: 7, extra: true } };
    };
    const metadata = {
      creationTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['keep'],
      generation: 1,
      annotations: { old: 'one' },
    };
    const { objects } = await convert(both(meddle), 'v2', [cronTab('v1', 'a', {}, metadata)]);
    expect(objects[0]!['metadata']).toEqual({
      ...(cronTab('v1', 'a', {}, metadata)['metadata'] as object),
      labels: { new: 'label' },
    });
  });

  it.each<[string, (object: JsonObject) => unknown, string]>([
    [
      'the name',
      (o) => ({ ...o, metadata: { ...(o['metadata'] as object), name: 'b' } }),
      'the conversion changed metadata.name from "a" to "b"',
    ],
    [
      'the name in place',
      (o) => {
        (o['metadata'] as JsonObject)['name'] = 'b';
        return o;
      },
      'the conversion changed metadata.name from "a" to "b"',
    ],
    [
      'the uid',
      (o) => ({ ...o, metadata: { name: 'a', namespace: 'default' } }),
      'the conversion changed metadata.uid from "uid-a" to ""',
    ],
    ['the kind', (o) => ({ ...o, kind: 'Other' }), 'the conversion changed kind from "CronTab" to "Other"'],
    ['no metadata', ({ spec }) => ({ spec }), 'the conversion returned an object without metadata'],
    [
      'a third version',
      (o) => ({ ...o, apiVersion: 'example.com/v7' }),
      'the conversion returned apiVersion "example.com/v7", not "example.com/v2"',
    ],
    ['nothing', () => undefined, 'the conversion returned nothing'],
    ['a list', (o) => [o], 'the conversion returned something other than an object'],
    [
      'something circular',
      (o) => {
        const object: Record<string, unknown> = { ...o };
        object['spec'] = object;
        return object;
      },
      'Converting circular structure to JSON',
    ],
  ])('are refused with %s', async (_what, fn, why) => {
    const { message, objects, outcome } = await convert(both(fn as ConvertFunction), 'v2', [
      cronTab('v1', 'a'),
    ]);
    expect(message).toContain(`CronTab default/a from example.com/v1 to example.com/v2: ${why}`);
    expect([objects, outcome]).toEqual([[], 'failed']);
  });

  it('keep integers that a double cannot hold', async () => {
    const { objects } = await convert(both(same), 'v2', [cronTab('v1', 'a', { big: 9223372036854775807n })]);
    expect(objects).toEqual([cronTab('v2', 'a', { big: 9223372036854775807n })]);
  });

  it('are frozen in strict mode, so that a function that changes its input fails', async () => {
    const change: ConvertFunction = (object) => {
      (object['spec'] as JsonObject)['x'] = 1;
      return object;
    };
    expect((await convert(both(change), 'v2', [cronTab('v1', 'a')])).result.status).toBe('Success');
    const { message } = await convert(both(change), 'v2', [cronTab('v1', 'a')], { strict: true });
    expect(message).toContain('Cannot add property x, object is not extensible');
  });
});

describe('failures', () => {
  const picky: ConvertFunction = (object) => {
    if ((object['spec'] as JsonObject)['bad']) throw new Error('spec.bad is bad');
    return object;
  };
  const definition: ConversionDefinition = {
    ...kind,
    convert: { 'v1→v2': picky, 'v2→v1': picky, 'v2→v3': via('x'), 'v3→v2': picky },
  };

  it('name every object that could not be converted', async () => {
    const objects = [
      cronTab('v1', 'a'),
      cronTab('v1', 'b', { bad: true }),
      cronTab('v1', 'c'),
      cronTab('v1', 'd', { bad: true }),
    ];
    const { message, objects: none } = await convert(definition, 'v2', objects);
    expect(message).toBe(
      '2 of 4 objects could not be converted: CronTab default/b from example.com/v1 to example.com/v2: spec.bad is bad; ' +
        'CronTab default/d from example.com/v1 to example.com/v2: spec.bad is bad',
    );
    expect(none).toEqual([]);
  });

  it('name the step', async () => {
    const { message } = await convert(definition, 'v3', [cronTab('v1', 'b', { bad: true })]);
    expect(message).toBe(
      'CronTab default/b from example.com/v1 to example.com/v3: at the step from v1 to v2: spec.bad is bad',
    );
  });

  it('stay short however many there are', async () => {
    const objects = Array.from({ length: 500 }, (_, i) => cronTab('v1', `c-${i}`, { bad: true }));
    const { message } = await convert(definition, 'v2', objects);
    expect(message).toMatch(
      /^500 of 500 objects could not be converted: CronTab default\/c-0 .*; and 490 more$/,
    );
  });

  it.each([
    [{ apiVersion: 'example.com/v1' }, 'it has no apiVersion and kind'],
    ['text', 'it has no apiVersion and kind'],
    [null, 'it has no apiVersion and kind'],
    [{ ...cronTab('v1', 'a'), apiVersion: 'other.com/v1' }, 'are of different groups'],
    [cronTab('v9', 'a'), 'version v9 is not known; known are v1, v2, v3'],
    [{ ...cronTab('v1', 'a'), kind: 'Other' }, 'no conversion is registered for kind Other of example.com'],
  ])('include objects that are none of ours: %j', async (object, why) => {
    expect((await convert(definition, 'v2', [object])).message).toContain(why);
  });

  it('include functions that take too long', async () => {
    const stuck: ConvertFunction = () => new Promise<never>(() => {});
    const webhook = conversion({ ...kind, convert: { 'v1→v2': stuck, 'v2→v1': stuck } });
    const { status, outcome } = await answerReview(
      webhook,
      conversionReview('example.com/v2', [cronTab('v1', 'a')]),
      { timeoutMs: 20 },
    );
    expect([status, outcome]).toEqual([504, 'timeout']);
  });
});

it('yields to other work during a long conversion', async () => {
  const busy: ConvertFunction = (object) => {
    const end = performance.now() + 1;
    while (performance.now() < end);
    return object;
  };
  let slices = 0;
  const timer = setInterval(() => slices++, 1);
  await convert(
    { ...kind, convert: { 'v1→v2': busy, 'v2→v1': busy } },
    'v2',
    Array.from({ length: 60 }, (_, i) => cronTab('v1', `c-${i}`)),
  );
  clearInterval(timer);
  expect(slices).toBeGreaterThan(3);
});

describe('reviews', () => {
  const webhook = conversion({
    ...kind,
    convert: { 'v1→v2': (object) => object, 'v2→v1': (object) => object },
  });

  it.each(['v1', 'v1beta1'] as const)('are answered in their version: %s', async (version) => {
    const { body } = await answerReview(
      webhook,
      conversionReview('example.com/v2', [cronTab('v1', 'a')], version),
    );
    expect(body).toEqual({
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      response: { uid: 'u-1', convertedObjects: [cronTab('v2', 'a')], result: { status: 'Success' } },
    });
  });

  it.each([
    [{}, 'expected a review of kind ConversionReview, got none'],
    [
      { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1' },
      'the ConversionReview has no request',
    ],
    [conversionReview('', []), 'the request of the ConversionReview has no desiredAPIVersion'],
    [
      { ...conversionReview('x/v1', []), request: { uid: 'u', desiredAPIVersion: 'x/v1' } },
      'the request of the ConversionReview has no list of objects',
    ],
  ])('are refused with a reason: %j', async (review, message) => {
    const { status, body } = await answerReview(webhook, review);
    expect([status, body['message']]).toEqual([400, message]);
  });

  const recorded = recordedReviews('ConversionReview');

  it('of a real API server are answered', async () => {
    for (const { review } of recorded) {
      const { desiredAPIVersion, objects } = review['request'] as {
        desiredAPIVersion: string;
        objects: JsonObject[];
      };
      const group = desiredAPIVersion.split('/')[0]!;
      const relabel: ConvertFunction = (object) => object;
      const any = conversion({
        group,
        kind: objects[0]!['kind'] as string,
        convert: { 'v1→v2': relabel, 'v2→v1': relabel },
      });
      const { status, body } = await answerReview(any, review);
      const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
      expect([status, body['response']]).toEqual([
        200,
        { uid: (review['request'] as JsonObject)['uid'], convertedObjects, result: { status: 'Success' } },
      ]);
    }
  });
});

it('derives the types of a step from those of the versions', async () => {
  interface V1 {
    metadata: object;
    spec: { cronSpec: string };
  }
  interface V2 {
    metadata: object;
    spec: { schedule: string };
  }
  const webhook = conversion<{ v1: V1; v2: V2 }>({
    ...kind,
    versions: ['v1', 'v2'],
    convert: {
      'v1→v2': ({ metadata, spec }) => ({ metadata, spec: { schedule: spec.cronSpec } }),
      // @ts-expect-error: a V1 has no spec.schedule
      'v2->v1': ({ metadata, spec }) => ({ metadata, spec: { schedule: spec.schedule } }),
    },
  });
  const { body } = await answerReview(
    webhook,
    conversionReview('example.com/v2', [cronTab('v1', 'a', { cronSpec: '*' })]),
  );
  expect(body['response']).toMatchObject({ convertedObjects: [cronTab('v2', 'a', { schedule: '*' })] });
});

describe('objects that need not be parsed', () => {
  const { lens } = parseLens({
    apiVersion: 'instar.dev/v1alpha1',
    kind: 'Lens',
    metadata: { name: 'crontabs' },
    spec: {
      crd: 'crontabs.example.com',
      lenses: [
        {
          from: 'v1',
          to: 'v2',
          ops: [
            { rename: { from: 'spec.cronSpec', to: 'spec.schedule' } },
            { remove: { path: 'spec.old' } },
            { cast: { path: 'spec.n', from: 'string', to: 'integer' } },
          ],
        },
      ],
    },
  });
  const plain = (i: number) =>
    cronTab('v1', `c-${i}`, { cronSpec: `${i} * * * *`, data: { text: 'ä'.repeat(50) } });
  const many = Array.from({ length: 300 }, (_, i) => plain(i));

  /** What is sent, its counts, and how many objects the lens was given as values. */
  async function answered(body: Buffer, asBytes: boolean) {
    let parsed = 0;
    const converter: LensConverter = {
      crd: lens!.crd,
      group: lens!.group,
      versions: lens!.versions,
      canConvert: () => true,
      convert: (object, to) => {
        parsed++;
        return lens!.convert(object, to);
      },
      ...(asBytes && { ofBytes: (from: string, to: string) => lens!.ofBytes(from, to) }),
    };
    const { status, body: pieces, outcome, conversions } = await conversion({ lens: converter }).answer(body);
    return { said: { status, outcome, conversions, text: JSON.parse(bytesOf(pieces).toString()) }, parsed };
  }

  const bodyOf = (objects: readonly unknown[], to = 'v2') =>
    Buffer.from(JSON.stringify(conversionReview(`example.com/${to}`, objects)));

  /** The same answer both ways; how many objects were parsed. */
  async function parsedOf(body: Buffer): Promise<number> {
    const before = Buffer.from(body);
    const one = await answered(body, true);
    expect(body.equals(before)).toBe(true);
    const other = await answered(body, false);
    expect(one.said).toEqual(other.said);
    return one.parsed;
  }

  it.each([1, 2, 300])('are converted as bytes in a review of %i', async (count) => {
    expect(await parsedOf(bodyOf(many.slice(0, count)))).toBe(0);
  });

  it('keep their order among those that are parsed', async () => {
    const objects = many
      .slice(0, 40)
      .map((object, i) => (i % 7 === 3 ? cronTab('v1', `c-${i}`, { old: i }) : object));
    expect(await parsedOf(bodyOf(objects))).toBe(6);
    const different = [
      plain(0),
      cronTab('v2', 'same'),
      { ...plain(2), kind: 'Other' },
      plain(3),
      { kind: 'CronTab', ...plain(4) },
    ];
    expect(await parsedOf(bodyOf(different))).toBeLessThan(5);
  });

  it('are all parsed if the first one has to be', async () => {
    expect(await parsedOf(bodyOf([cronTab('v1', 'first', { old: 1 }), ...many]))).toBe(301);
  });

  it('fail together with those that are parsed', async () => {
    const objects = [
      plain(0),
      cronTab('v1', 'bad', { n: 'x' }),
      plain(2),
      { ...plain(3), metadata: undefined },
      cronTab('v3', 'new'),
    ];
    await parsedOf(bodyOf(objects));
    const { result, message } = await convert({ lens: lens! }, 'v2', objects);
    expect(result.status).toBe('Failure');
    expect(message).toContain(
      '3 of 5 objects could not be converted: CronTab default/bad from example.com/v1 to example.com/v2: spec.n: ',
    );
  });

  it.each([
    [
      'something else in the list',
      (text: string) =>
        text.replace(/,\{"apiVersion":"example.com\/v1"/, ',5,{"apiVersion":"example.com/v1"'),
    ],
    ['no JSON in an object', (text: string) => text.replace('2 * * * *"', '2 * * * *')],
    ['no JSON between objects', (text: string) => text.replace('}},{', '}},,{')],
    ['a list that ends early', (text: string) => text.replace('}},{', '}}],[{')],
    ['a character that is none', (text: string) => text.replace('ä', '\ud800')],
    ['white space', (text: string) => text.replace('"data":', '"data": ')],
    ['a key twice', (text: string) => text.replace('"data":', '"data":1,"data":')],
    [
      'a number that a double cannot hold',
      (text: string) => text.replace('"data":', '"big":9007199254740993,"data":'),
    ],
    ['a review that is broken off', (text: string) => text.slice(0, 4000)],
    [
      'something else called objects',
      (text: string) => text.replace('"request"', '"extra":{"objects":[{"a":1}]},"request"'),
    ],
  ])('get the same answer with %s', async (_, damaged) => {
    const text = damaged(bodyOf(many.slice(0, 10)).toString());
    await parsedOf(Buffer.from(text));
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('ä')] = 0xff;
    await parsedOf(bytes);
  });

  it('are parsed where the route has a function', async () => {
    const mixed = { ...kind, lens: lens!, convert: steps('v2→v3', 'v3→v2') };
    expect((await convert(mixed, 'v3', [plain(0)])).objects[0]!['spec']).toMatchObject({
      schedule: '0 * * * *',
      'v2→v3': true,
    });
  });

  it('do not block other work', async () => {
    const long = Buffer.from(
      JSON.stringify(conversionReview('example.com/v2', Array.from({ length: 100 }, () => many).flat())),
    );
    let slices = 0;
    const other = setInterval(() => slices++, 1);
    await conversion({ lens: lens! }).answer(long);
    clearInterval(other);
    expect(slices).toBeGreaterThan(0);
  });
});
