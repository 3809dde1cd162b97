// The webhook and the definitions must agree: an object that the labeller leaves unlabeled must be valid
// under the schema of phase 2, or continuing would break it; and what the schema refuses must have been
// labeled before.
import { deepCopy, type JsonObject, type JsonValue } from '@instar/machinery';
import { type CompiledSchema, compileSchema, type JSONSchemaProps } from '@instar/schema';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONTENTS, SNAPSHOTS, type SnapshotResource } from '../resources.ts';
import { readCrd } from '../testing/snapshot-cluster.ts';

interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  schema: { openAPIV3Schema: JSONSchemaProps };
}

async function versionsOf(phase: 1 | 2 | 3, resource: string): Promise<Version[]> {
  return ((await readCrd(phase, resource))['spec'] as { versions: Version[] }).versions;
}

async function schemaOf(
  phase: 1 | 2 | 3,
  { resource }: SnapshotResource,
  version: string,
): Promise<CompiledSchema> {
  return compileSchema(
    (await versionsOf(phase, resource)).find(({ name }) => name === version)!.schema.openAPIV3Schema,
  );
}

const text = fc.constantFrom<JsonValue>('', 'a', 'b');
const maybe = (names: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries(names.map((name) => [name, text])), {
    requiredKeys: [],
  }) as fc.Arbitrary<JsonObject>;

const snapshots = fc
  .record({
    source: maybe(['persistentVolumeClaimName', 'volumeSnapshotContentName']),
    more: maybe(['volumeSnapshotClassName']),
  })
  .map(({ source, more }) => ({
    apiVersion: 'x',
    kind: 'VolumeSnapshot',
    metadata: { name: 'n' },
    spec: { source, ...more },
  }));
const contents = fc
  .record({
    source: maybe(['volumeHandle', 'snapshotHandle']),
    volumeSnapshotRef: maybe(['name', 'namespace', 'uid']),
  })
  .map((spec) => ({
    apiVersion: 'x',
    kind: 'VolumeSnapshotContent',
    metadata: { name: 'n' },
    spec: { driver: 'd', deletionPolicy: 'Delete', ...spec },
  }));

describe.each([
  ['VolumeSnapshot', SNAPSHOTS, snapshots],
  ['VolumeSnapshotContent', CONTENTS, contents],
] as [string, SnapshotResource, fc.Arbitrary<JsonObject>][])('of %s', (_, resource, objects) => {
  let strict: CompiledSchema;
  let lenient: CompiledSchema;
  beforeAll(async () => {
    strict = await schemaOf(2, resource, 'v1');
    lenient = await schemaOf(1, resource, 'v1beta1');
  });
  const isStrict = (object: JsonObject, old?: JsonObject): boolean =>
    strict.validate(deepCopy(object), old === undefined ? {} : { old, ratchet: false }).length === 0;

  it('is valid to the webhook exactly if it is valid under the schema of phase 2', () => {
    fc.assert(
      fc.property(
        objects,
        (object) => void expect(isStrict(object)).toBe(resource.validate(object).length === 0),
      ),
    );
  });

  it('is never refused by the schema of phase 1 for what only the webhook knows', () => {
    fc.assert(fc.property(objects, (object) => void expect(lenient.validate(deepCopy(object))).toEqual([])));
  });

  it('may change from one valid state to another in phase 2 exactly if the webhook allows it', () => {
    const isValid = (object: JsonObject): boolean => resource.validate(object).length === 0;
    fc.assert(
      fc.property(objects.filter(isValid), objects.filter(isValid), (old, object) => {
        const moved = resource.immutability.flatMap((rule) => rule(old, object));
        expect(isStrict(object, old)).toBe(moved.length === 0);
      }),
    );
  });
});

describe.each(['volumesnapshots', 'volumesnapshotcontents', 'volumesnapshotclasses'])(
  'the definitions of %s',
  (resource) => {
    const shape = async (phase: 1 | 2 | 3): Promise<unknown> =>
      (await versionsOf(phase, resource)).map(
        ({ name, served, storage }) => `${name}${served ? ' served' : ''}${storage ? ' stored' : ''}`,
      );

    it('serve and store what their phase says', async () => {
      expect(await shape(1)).toEqual(['v1beta1 served stored']);
      expect(await shape(2)).toEqual(['v1 served', 'v1beta1 served stored']);
      expect(await shape(3)).toEqual(['v1 served stored', 'v1beta1 served']);
    });

    it('have the same fields in both versions: nothing is lost whichever is stored', async () => {
      for (const phase of [2, 3] as const) {
        const [v1, v1beta1] = (await versionsOf(phase, resource)).map(({ schema }) =>
          fieldsOf(schema.openAPIV3Schema, ''),
        );
        expect(v1).toEqual(v1beta1);
        const [first] = await versionsOf(1, resource);
        expect(fieldsOf(first!.schema.openAPIV3Schema, '')).toEqual(v1);
      }
    });
  },
);

function fieldsOf(schema: JSONSchemaProps, path: string): string[] {
  return [
    `${path} ${schema.type}`,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, below]) => fieldsOf(below, `${path}.${name}`)),
  ];
}
