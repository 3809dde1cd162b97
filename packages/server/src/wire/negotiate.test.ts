import { describe, expect, it } from 'vitest';
import { COLLECTION, ONE_OBJECT, WATCH } from '../api/handlers/answer.ts';
import {
  checkRoutable,
  type NegotiationRules,
  negotiate,
  PLAIN,
  PROTOBUF,
  parseAccept,
} from './negotiate.ts';
import { requestWithoutSocket } from './request-without-socket.ts';

const asking = (accept: string) => requestWithoutSocket('GET', '/', { headers: { accept } });
const AS_TABLE = 'as=Table;v=v1;g=meta.k8s.io';
const AS_METADATA = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const AS_METADATA_LIST = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

function outcome(accept: string, rules = ONE_OBJECT, typed = true): string {
  try {
    const { mediaType, representation } = negotiate(asking(accept), rules, typed);
    return `${mediaType} ${representation}`;
  } catch (error) {
    return String((error as { code: number }).code);
  }
}

describe('responses in protobuf', () => {
  it('are sent for typed kinds to clients that prefer them', () => {
    expect(outcome(PROTOBUF)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`${PROTOBUF},application/json`)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`application/json,${PROTOBUF}`)).toBe('application/json Object');
    expect(outcome(`application/json;q=0.5,${PROTOBUF};q=0.9`)).toBe(`${PROTOBUF} Object`);
    expect(outcome('*/*')).toBe('application/json Object');
    expect(outcome('application/*')).toBe('application/json Object');
  });

  it('are skipped if an object has no protobuf message', () => {
    expect(outcome(`${PROTOBUF},application/json`, ONE_OBJECT, false)).toBe('application/json Object');
    expect(outcome(`${PROTOBUF},application/yaml`, COLLECTION, false)).toBe('application/yaml Object');
    expect(outcome(PROTOBUF, ONE_OBJECT, false)).toBe('406');
  });

  it('are sent for the metadata of every kind', () => {
    for (const typed of [true, false]) {
      expect(outcome(`${PROTOBUF};${AS_METADATA}`, ONE_OBJECT, typed)).toBe(
        `${PROTOBUF} PartialObjectMetadata`,
      );
      expect(outcome(`${PROTOBUF};${AS_METADATA_LIST}`, COLLECTION, typed)).toBe(
        `${PROTOBUF} PartialObjectMetadataList`,
      );
    }
  });

  it('are never sent for Tables', () => {
    for (const typed of [true, false]) {
      expect(outcome(`${PROTOBUF};${AS_TABLE},application/json;${AS_TABLE}`, COLLECTION, typed)).toBe(
        'application/json Table',
      );
      expect(outcome(`${PROTOBUF};${AS_TABLE}`, COLLECTION, typed)).toBe('406');
    }
  });

  it('may be streams, unlike YAML', () => {
    expect(outcome(`${PROTOBUF};stream=watch,application/json;stream=watch`, WATCH)).toBe(
      `${PROTOBUF} Object`,
    );
    expect(outcome(`${PROTOBUF};stream=other`, WATCH)).toBe('406');
    expect(outcome(`${PROTOBUF};stream=watch`, WATCH, false)).toBe('406');
    expect(outcome(`${PROTOBUF};stream=watch;${AS_METADATA}`, WATCH, false)).toBe(
      `${PROTOBUF} PartialObjectMetadata`,
    );
    expect(outcome('application/yaml;stream=watch', WATCH)).toBe('406');
  });

  it('are sent for errors and reviews, in no other representation', () => {
    expect(outcome(`${PROTOBUF},application/json`, PLAIN)).toBe(`${PROTOBUF} Object`);
    expect(outcome(`${PROTOBUF};${AS_METADATA}`, PLAIN)).toBe('406');
  });
});

describe('the router of typed kinds', () => {
  it.each(['', '*/*', 'application/json', PROTOBUF, 'text/html, application/yaml;q=0.1', ' */* ;q=0'])(
    'lets %j pass',
    (accept) => {
      expect(() => checkRoutable(asking(accept), false)).not.toThrow();
    },
  );

  it.each(['application/cbor', 'application/*', 'Application/JSON', '*', ',', ';q=1'])(
    'refuses %j',
    (accept) => {
      expect(() => checkRoutable(asking(accept), false)).toThrow(/^406: Not Acceptable\n\nAvailable/);
    },
  );

  it('lists the streams of a collection', () => {
    expect(() => checkRoutable(asking('text/html'), true)).toThrow(`${PROTOBUF};stream=watch`);
  });
});

const OBJECT: NegotiationRules = { representations: ['Table', 'PartialObjectMetadata'] };
const STREAM: NegotiationRules = { representations: ['Table', 'PartialObjectMetadata'], stream: true };
const asked = (accept: string | undefined, rules = OBJECT, url = '/', agent = 'kubectl') =>
  negotiate(
    requestWithoutSocket('GET', url, {
      headers: { ...(accept !== undefined && { accept }), 'user-agent': agent },
    }),
    rules,
  );
const shown = (accept: string | undefined, rules?: NegotiationRules) => {
  const { mediaType, representation, representationVersion } = asked(accept, rules);
  return `${mediaType} ${representation} ${representationVersion}`;
};
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

describe('negotiate', () => {
  it.each([
    [undefined, 'application/json Object v1'],
    ['', 'application/json Object v1'],
    ['*/*', 'application/json Object v1'],
    ['application/*', 'application/json Object v1'],
    ['application/yaml', 'application/yaml Object v1'],
    ['application/json;q=0.5, application/yaml', 'application/yaml Object v1'],
    ['text/html, application/json;q=0.1', 'application/json Object v1'],
    [TABLE, 'application/json Table v1'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'application/json Table v1beta1'],
    [`application/json;as=Table;v=v2;g=meta.k8s.io,${TABLE},application/json`, 'application/json Table v1'],
    ['application/json;as=Whatever;v=v1;g=meta.k8s.io,application/json', 'application/json Object v1'],
    [
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      'application/json PartialObjectMetadata v1',
    ],
    ['application/yaml;as=Table;v=v1;g=meta.k8s.io', 'application/yaml Table v1'],
  ])('answers %s with %s', (accept, expected) => expect(shown(accept)).toBe(expected));

  it.each([
    'text/html',
    'application/xml',
    'application/json;as=Table',
    'application/json;as=Whatever;v=v1;g=meta.k8s.io',
    'text/*',
  ])('refuses %s', (accept) =>
    expect(() => shown(accept)).toThrow('only the following media types are accepted'),
  );

  it('refuses a representation that the endpoint does not have', () =>
    expect(() => shown(TABLE, PLAIN)).toThrow('accepted'));
});

describe('streams', () => {
  it.each([
    ['application/json', 'application/json Object v1'],
    ['application/json;stream=watch', 'application/json Object v1'],
    [`${TABLE},application/json`, 'application/json Table v1'],
  ])('answer %s with %s', (accept, expected) => expect(shown(accept, STREAM)).toBe(expected));

  it('cannot be YAML', () => expect(() => shown('application/yaml', STREAM)).toThrow('accepted'));
});

it('sorts media types by quality, then by specificity', () => {
  const types = parseAccept(
    '*/*, application/*, application/json, text/plain;q=0.1, application/yaml;q=0.9',
  ).map(({ type }) => type);
  expect(types).toEqual(['application/json', 'application/*', '*/*', 'application/yaml', 'text/plain']);
});

describe('pretty printing', () => {
  it.each([
    ['/?pretty=true', 'kubectl', true],
    ['/?pretty=1', 'kubectl', true],
    ['/?pretty=false', 'curl/8', false],
    ['/?pretty', 'kubectl', false],
    ['/', 'curl/8', true],
    ['/', 'kubectl', false],
  ])('of %s for %s is %s', (url, agent, pretty) =>
    expect(asked('application/json', OBJECT, url, agent).pretty).toBe(pretty),
  );
});
