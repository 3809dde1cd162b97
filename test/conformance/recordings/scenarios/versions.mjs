// Several versions of one resource over the same stored objects, with no conversion but the apiVersion.
import { CRDS, crd, custom, object, resource, string } from '../lib/fixtures.mjs';

export async function servedAndStored(t) {
  const group = 'served.conf.example.com';
  const ns = await t.namespace('conf-served');
  const spec = object({ spec: object({ cronSpec: string, image: string }) });
  const def = crd(group, 'CronTab', {
    versions: [
      { name: 'v1', schema: spec },
      { name: 'v2', schema: spec },
    ],
  });
  await t.crd(def);
  await t.step('create in v1', 'POST', resource(group, 'v1', 'crontabs', ns), {
    body: custom(group, 'v1', 'CronTab', 'a', { spec: { cronSpec: '* * * * */5', image: 'i', extra: 1 } }),
  });
  await t.step('read in v2', 'GET', `${resource(group, 'v2', 'crontabs', ns)}/a`);
  await t.step('create in v2 with the wrong apiVersion', 'POST', resource(group, 'v2', 'crontabs', ns), {
    body: custom(group, 'v1', 'CronTab', 'b'),
  });
  await t.step('list in v2', 'GET', resource(group, 'v2', 'crontabs', ns));
  await t.step('a version that does not exist', 'GET', resource(group, 'v3', 'crontabs', ns));

  const stored = await t.setup('GET', `${CRDS}/${def.metadata.name}`);
  stored.spec.versions[0].storage = false;
  stored.spec.versions[1].storage = true;
  await t.step('make v2 the storage version', 'PUT', `${CRDS}/${def.metadata.name}`, {
    body: stored,
    pick: (b) => ({ stored: b.status.storedVersions, generation: b.metadata.generation }),
  });
  const both = await t.setup('GET', `${CRDS}/${def.metadata.name}`);
  const without = structuredClone(both);
  without.spec.versions.shift();
  await t.step('remove v1 while it is in storedVersions', 'PUT', `${CRDS}/${def.metadata.name}`, {
    body: without,
  });
  both.spec.versions[0].served = false;
  await t.setup('PUT', `${CRDS}/${def.metadata.name}`, { body: both });
  await t.until(
    'v1 to stop being served',
    async () => (await t.client.request('GET', resource(group, 'v1', 'crontabs', ns))).status === 404,
  );
  await t.step(
    'read a version that is no longer served',
    'GET',
    `${resource(group, 'v1', 'crontabs', ns)}/a`,
  );
  await t.step('read the object in the other version', 'GET', `${resource(group, 'v2', 'crontabs', ns)}/a`);
  await t.step('discovery of the group', 'GET', `/apis/${group}`);
  await t.step('discovery of the version', 'GET', `/apis/${group}/v2`);
}
