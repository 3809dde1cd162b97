import { SILENT } from '@instar/serving';
import { describe, expect, it } from 'vitest';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { routePaths } from '../../wire/router.ts';
import { healthRoutes } from './checks.ts';
import { VERSION_INFO, versionHandler } from './version.ts';

let storeIsWell = true;
const checks = [
  {
    name: 'etcd',
    check: async () => {
      if (!storeIsWell) throw new Error('the disk is on fire');
    },
  },
  { name: 'ready-only', check: () => {}, endpoints: ['readyz'] as const },
];
const route = routePaths(healthRoutes(checks, SILENT));
const ask = async (url: string) => {
  const { status, body } = await route(requestWithoutSocket('GET', url));
  return [status, new TextDecoder().decode(body as Uint8Array)];
};

describe('health', () => {
  it('says ok, or lists all checks', async () => {
    expect(await ask('/livez')).toEqual([200, 'ok']);
    expect(await ask('/livez?verbose')).toEqual([200, '[+]ping ok\n[+]etcd ok\nlivez check passed\n']);
    expect(await ask('/readyz?verbose&exclude=etcd&exclude=nothing')).toEqual([
      200,
      '[+]ping ok\n[+]etcd excluded: ok\n[+]ready-only ok\nwarn: some health checks cannot be excluded: no matches for "nothing"\nreadyz check passed\n',
    ]);
  });

  it('runs single checks', async () => {
    expect(await ask('/readyz/ready-only')).toEqual([200, 'ok']);
    expect(await ask('/livez/ready-only')).toEqual([404, '404 page not found\n']);
    expect(await ask('/readyz/nothing')).toEqual([404, '404 page not found\n']);
  });

  it('gives the reason of a failed check only when asked for that check alone', async () => {
    storeIsWell = false;
    expect(await ask('/healthz')).toEqual([
      500,
      '[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed\n',
    ]);
    expect(await ask('/healthz/etcd')).toEqual([500, 'internal server error: the disk is on fire\n']);
    storeIsWell = true;
  });
});

it('counts how each check went for /metrics/slis', async () => {
  const slis = routePaths(healthRoutes(checks, SILENT));
  await slis(requestWithoutSocket('GET', '/livez'));
  await slis(requestWithoutSocket('GET', '/livez/etcd'));
  storeIsWell = false;
  await slis(requestWithoutSocket('GET', '/readyz/etcd'));
  storeIsWell = true;
  const { body } = await slis(requestWithoutSocket('GET', '/metrics/slis'));
  const lines = new TextDecoder().decode(body as Uint8Array).split('\n');
  expect(lines).toContain('kubernetes_healthcheck{name="etcd",type="livez"} 1');
  expect(lines).toContain('kubernetes_healthcheck{name="etcd",type="readyz"} 0');
  expect(lines).toContain('kubernetes_healthchecks_total{name="etcd",status="success",type="livez"} 2');
  expect(lines).toContain('kubernetes_healthchecks_total{name="etcd",status="error",type="readyz"} 1');
});

it('answers /version indented', async () => {
  const { body } = await versionHandler(requestWithoutSocket('GET', '/version'));
  expect(new TextDecoder().decode(body as Uint8Array)).toMatch(/^{\n {2}"major": "1",\n/);
});

it('has a version that clients can compare with', () => {
  expect(VERSION_INFO.gitVersion).toMatch(/^v1\.36\.\d+\+[0-9A-Za-z-.]+$/);
});
