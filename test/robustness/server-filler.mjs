// Run as a child by store-full.test.ts, with TMPDIR on a small disk: fills it through the API of a server,
// deletes everything through the API, and writes again. Prints the responses.
import { randomBytes } from 'node:crypto';
import { ApiClient } from '../../packages/testing/dist/api/api-client.js';
import { ServerProcess } from '../../packages/testing/dist/command/server-process.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
// Nothing else may write config maps.
const flags = ['--controllers=-root-ca-certificate-publisher-controller'];
const server = await ServerProcess.start({ storage: 'lmdb', flags });
const client = new ApiClient(await server.access());

const create = (name) =>
  client.send('POST', MAPS, {
    // With a finalizer a delete is first an update that grows.
    metadata: { name, finalizers: name.endsWith('5') ? ['example.com/hold'] : [] },
    data: { value: randomBytes(30_000).toString('base64') },
  });

let count = 0;
let answer = await create(`m${count}`);
for (; answer.status === 201; answer = await create(`m${count}`)) count++;

const deletes = {};
for (let at = 0; at < count; at++) {
  const path = `${MAPS}/m${at}`;
  let { status } = await client.send('DELETE', path);
  if (status === 200 && at % 10 === 5)
    ({ status } = await client.send('PATCH', path, { metadata: { finalizers: null } }));
  deletes[status] = (deletes[status] ?? 0) + 1;
}
const again = [];
for (let at = 0; at < 5; at++) again.push((await create(`again${at}`)).status);
const { body } = await client.send('GET', MAPS);
console.log(
  JSON.stringify({
    count,
    refusal: [answer.status, answer.body.message],
    deletes,
    again,
    left: body.items.map(({ metadata }) => metadata.name),
  }),
);
await client.close();
await server.remove();
