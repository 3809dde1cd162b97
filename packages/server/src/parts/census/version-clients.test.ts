import { describe, expect, it } from 'vitest';
import { OTHERS, VersionClients, versionClientName } from './version-clients.ts';

const use = (user: string, userAgent: string) => ({
  crd: 'crontabs.example.com',
  version: 'v1',
  user,
  userAgent,
});

describe('the table of clients', () => {
  it('counts reads, writes and open watches', () => {
    const clients = new VersionClients();
    clients.record(use('a', 'x'), false, 1);
    const row = clients.record(use('a', 'x'), true, 2);
    const ended = clients.watch(row, () => 9);
    expect([...clients.all()]).toEqual([
      { ...use('a', 'x'), firstSeen: 1, lastSeen: 2, lastRead: 1, lastWrite: 2, reads: 1, writes: 1 },
    ]);
    expect(clients.openWatches(row)).toBe(1);
    ended();
    expect([clients.openWatches(row), row.lastSeen]).toEqual([0, 9]);
  });

  it('counts clients beyond its limit together', () => {
    const clients = new VersionClients(2);
    for (let i = 0; i < 50; i++) clients.record(use(`user-${i % 10}`, `agent-${i}`), false, i);
    const rows = [...clients.all()];
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(rows.reduce((sum, { reads }) => sum + reads, 0)).toBe(50);
    expect(rows.some(({ user, userAgent }) => user === OTHERS && userAgent === OTHERS)).toBe(true);
  });

  it('drops clients that were not seen for long when it is loaded', () => {
    const now = Date.parse('2026-06-01');
    const row = { ...use('a', 'x'), firstSeen: 0, lastSeen: Date.parse('2026-01-01'), reads: 1, writes: 0 };
    const clients = new VersionClients();
    clients.load([row, { ...row, userAgent: 'y', lastSeen: now - 1000 }], now);
    expect([...clients.all()].map(({ userAgent }) => userAgent)).toEqual(['y']);
  });

  it('gives each row a unique name', () => {
    expect(versionClientName(use('a', 'x'))).toMatch(/^v1\.crontabs\.example\.com\.[0-9a-f]{10}$/);
    expect(versionClientName(use('a', 'x'))).not.toBe(versionClientName(use('b', 'x')));
  });
});
