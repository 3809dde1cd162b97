import { join } from 'node:path';
import type { KubeApi, KubeClient } from '@instar/client';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crdRef, readDefinition } from '../definition/definition.ts';
import { untilStored } from '../definition/switch-storage.ts';
import { readStored } from '../stored/read-stored.ts';
import { asForeign } from '../testing/foreign-api.ts';
import { doStep, undoStep } from './do-step.ts';
import { RetirementJournal } from './journal.ts';
import { readRetirementState } from './retirement-state.ts';
import { type StepName, stepsOf } from './steps.ts';

const GROUP = 'stable.example.com';
const NAME = `crontabs.${GROUP}`;
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const ALL: readonly StepName[] = [
  'deprecate',
  'switch-storage',
  'migrate',
  'prune',
  'managed-fields',
  'stop-serving',
  'remove',
];

let server: EmbeddedApi;
let api: KubeClient;
const folder = temporaryFolder();

beforeAll(async () => {
  server = await EmbeddedApi.start();
  api = server.client();
  const versions = ['v1beta1', 'v1'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1beta1',
    schema,
  }));
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab' },
    versions,
  };
  await api.create(crdRef(NAME), {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec,
  });
  await untilStored(api, await readDefinition(api, NAME));
  const objects = { group: GROUP, version: 'v1beta1', resource: 'crontabs', namespace: 'default' };
  for (const name of ['a', 'b', 'c']) {
    const object = {
      apiVersion: `${GROUP}/v1beta1`,
      kind: 'CronTab',
      metadata: { name },
      spec: { image: name },
    };
    await api.create(objects, object, { fieldManager: 'author' });
  }
});

afterAll(async () => {
  await server.close();
});

const retirement = (of: KubeApi = api) => readRetirementState(of, NAME, 'v1beta1', 'v1');

/** The first step that is not done, ignoring clients. */
async function next(of: KubeApi = api): Promise<StepName | undefined> {
  const steps = stepsOf(await retirement(of), { quietMs: 0, now: Date.now() });
  return steps.find(({ name, state }) => state !== 'done' && name !== 'clients')?.name;
}

describe('retiring a version', () => {
  it('takes every step in order in both directions', async () => {
    const before = await readDefinition(api, NAME);
    const journal = await RetirementJournal.open(join(folder, 'journal.json'), NAME, 'v1beta1');
    for (const step of ALL) {
      expect(await next()).toBe(step);
      await journal.add(await doStep(api, await retirement(), step));
    }
    expect(await next()).toBeUndefined();
    const gone = await readDefinition(api, NAME);
    expect(gone.spec.versions.map(({ name }) => name)).toEqual(['v1']);
    expect(gone.status.storedVersions).toEqual(['v1']);
    const object = await api.get({
      group: GROUP,
      version: 'v1',
      resource: 'crontabs',
      namespace: 'default',
      name: 'a',
    });
    expect(object.metadata.managedFields).toMatchObject([{ manager: 'author', apiVersion: `${GROUP}/v1` }]);

    const reopened = await RetirementJournal.open(journal.path, NAME, 'v1beta1');
    while (reopened.last !== undefined) {
      await undoStep(api, await retirement(), reopened.last);
      await reopened.removeLast();
    }
    const after = await readDefinition(api, NAME);
    expect(after.spec.versions).toEqual(before.spec.versions);
    expect(await readStored(api, after)).toMatchObject({
      storageVersion: 'v1beta1',
      versions: [{ objects: 0 }, { version: 'v1beta1', objects: 3 }],
    });
  });

  it('takes the same steps on a server without a census, where the migration is the proof', async () => {
    const foreign = asForeign(api);
    const taken: StepName[] = [];
    for (
      let step = await next(foreign);
      step !== undefined && taken.length < 10;
      step = await next(foreign)
    ) {
      await doStep(foreign, await retirement(foreign), step);
      taken.push(step);
    }
    // managedFields were moved by the previous test, permanently.
    expect(taken).toEqual(['deprecate', 'switch-storage', 'migrate', 'stop-serving', 'remove']);
    expect(await readStored(api, await readDefinition(api, NAME))).toMatchObject({
      claimed: ['v1'],
      honest: true,
      objects: 3,
    });
  });

  it('keeps a journal for one version of one definition', async () => {
    const path = join(folder, 'other.json');
    const journal = await RetirementJournal.open(path, NAME, 'v1');
    await journal.add({ step: 'deprecate', at: 'now' });
    await expect(RetirementJournal.open(path, NAME, 'v1beta1')).rejects.toThrow(
      `${path} is about v1 of ${NAME}`,
    );
  });
});
