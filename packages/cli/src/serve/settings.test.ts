import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ServeFlags } from './flags.ts';
import { settingsOf } from './settings.ts';

const flags = (given: Partial<ServeFlags>) =>
  ({ dataDir: 'd', history: 300_000, etcdPrefix: '/registry', eventTtl: 1000, ...given }) as ServeFlags;

describe('an etcd for storage', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is named by URL, or as kube-apiserver has it', () => {
    expect(settingsOf(flags({ storage: 'etcd://a:1,b:2' })).server).toMatchObject({
      storage: 'etcd://a:1,b:2',
      etcd: { tls: false },
    });
    const { storage, etcd } = settingsOf(flags({ etcdServers: ['https://a:1/', 'https://b:2'] })).server;
    expect([storage, etcd]).toEqual(['etcd://a:1,b:2', { tls: true }]);
    expect(() => settingsOf(flags({ storage: 'memory:', etcdServers: ['http://a:1'] }))).toThrow(
      /both name a storage/,
    );
  });

  it('is reached with certificates, or as a user', () => {
    const files = { etcdCafile: 'ca', etcdCertfile: 'crt', etcdKeyfile: 'key' };
    expect(settingsOf(flags(files)).server.etcd).toEqual({
      caFile: 'ca',
      certFile: 'crt',
      keyFile: 'key',
      tls: false,
    });
    vi.stubEnv('INSTAR_ETCD_PASSWORD', undefined);
    expect(() => settingsOf(flags({ etcdUsername: 'me' }))).toThrow(/INSTAR_ETCD_PASSWORD/);
    vi.stubEnv('INSTAR_ETCD_PASSWORD', 'secret');
    expect(settingsOf(flags({ etcdUsername: 'me' })).server.etcd).toMatchObject({
      username: 'me',
      password: 'secret',
    });
  });
});
