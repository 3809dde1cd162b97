// Creates several hundred real definitions concurrently: how long it takes, how much memory they need, and
// when discovery and OpenAPI list them all. Needs the corpus in $INSTAR_SHARED, or beside the repository; is
// skipped without it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { encodeJson, parseYaml } from '../packages/machinery/dist/index.js';
import { cpuSeconds, readyServer, residentMegabytes } from './support/process.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const corpus = path.join(process.env.INSTAR_SHARED ?? path.join(root, '../shared'), 'corpus/crds');
if (!existsSync(corpus)) {
  console.log(`skipped: the corpus is missing at ${path.relative(process.cwd(), corpus)}`);
  process.exit(0);
}

const definitions = new Map();
for (const file of readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.ya?ml(\.gz)?$/.test(name),
)) {
  const bytes = readFileSync(path.join(corpus, file));
  const { value } = parseYaml(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  if (value?.apiVersion === 'apiextensions.k8s.io/v1')
    definitions.set(value.metadata.name, encodeJson(value));
}

const dir = await mkdtemp(path.join(tmpdir(), 'instar-bench-'));
try {
  const server = await readyServer(root, dir);
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, connections: 8 });
  const headers = {
    authorization: `Bearer ${server.token}`,
    accept: 'application/json',
    'content-type': 'application/json',
  };
  const call = async (method, target, body) => {
    const answer = await request(server.url + target, { method, headers, body, dispatcher });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  const before = residentMegabytes(server.pid);
  const cpu = cpuSeconds(server.pid);
  const began = performance.now();
  const queue = [...definitions];
  const groupVersions = new Set();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const { status } = await call(
          'POST',
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          next[1],
        );
        const { spec } = JSON.parse(next[1]);
        if (status === 201)
          for (const version of spec.versions)
            if (version.served) groupVersions.add(`apis/${spec.group}/${version.name}`);
      }
    }),
  );
  const created = performance.now() - began;
  const until = async (target, has) => {
    while (!has(JSON.parse((await call('GET', target)).body)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return performance.now() - began;
  };
  const discovered = await until('/apis', ({ groups }) => {
    const shown = new Set(
      groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `apis/${groupVersion}`)),
    );
    return [...groupVersions].every((groupVersion) => shown.has(groupVersion));
  });
  const published = await until('/openapi/v3', ({ paths }) =>
    [...groupVersions].every((groupVersion) => paths[groupVersion] !== undefined),
  );
  const cpuMs = (cpuSeconds(server.pid) - cpu) * 1000;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const megabytes = residentMegabytes(server.pid) - before;
  console.log(
    `${definitions.size} definitions, ${groupVersions.size} group versions, ${([...definitions.values()].join('').length / 1e6).toFixed(1)} MB of JSON`,
  );
  console.log(
    `created by 8 clients in                ${(created / 1000).toFixed(1)} s (${(cpuMs / definitions.size).toFixed(1)} ms CPU each, OpenAPI included)`,
  );
  console.log(`discovery shows all, after the last    ${(discovered - created).toFixed(0)} ms`);
  console.log(`OpenAPI v3 shows all, after the last   ${(published - created).toFixed(0)} ms`);
  console.log(
    `memory a definition                    ${(megabytes / definitions.size).toFixed(2)} MB (upstream users report 13 MB)`,
  );
  await dispatcher.destroy();
  await server.stop();
} finally {
  await rm(dir, { recursive: true, force: true });
}
