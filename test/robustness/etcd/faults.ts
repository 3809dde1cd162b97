// The faults, each from its beginning to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena, ArenaServer } from './arena.ts';
import type { ProxyMode } from './fault-proxy.ts';
import type { Observer } from './observer.ts';

export interface Fault {
  readonly name: string;
  run(arena: Arena, observer: Observer, server: ArenaServer): Promise<void>;
}

const LASTS_MS = 1_200;

const ways = (mode: ProxyMode, which: (count: number) => number): Fault['run'] => {
  return async (_arena, _observer, { proxies }) => {
    const hit = proxies.slice(0, which(proxies.length));
    for (const proxy of hit) proxy.mode = mode;
    await sleep(LASTS_MS);
    for (const proxy of hit) proxy.mode = 'pass';
  };
};
const all = (count: number): number => count;
const most = (count: number): number => count - 1;

export const FAULTS: readonly Fault[] = [
  {
    name: 'a member is killed',
    run: async ({ cluster }) => {
      const member = cluster.members[Math.floor(Math.random() * cluster.members.length)]!;
      await member.kill();
      await sleep(LASTS_MS);
      member.start();
      await member.listening();
    },
  },
  {
    name: 'the leader is killed',
    run: async (arena) => {
      const leader = await arena.leader();
      await leader.kill();
      await sleep(LASTS_MS);
      leader.start();
      await leader.listening();
    },
  },
  {
    name: 'the leader stands still, and another takes over',
    run: async (arena) => {
      const leader = await arena.leader();
      leader.signal('SIGSTOP');
      await sleep(LASTS_MS);
      leader.signal('SIGCONT');
    },
  },
  { name: 'a server is cut off', run: ways('hold', all) },
  { name: 'a server is cut off from most members', run: ways('hold', most) },
  { name: 'the connections of a server are reset', run: ways('refuse', all) },
  { name: 'the connections of a server to most members are reset', run: ways('refuse', most) },
  { name: 'etcd is slow for a server', run: ways('slow', all) },
  {
    name: 'history is compacted',
    run: async (_arena, observer) => {
      await observer.compact();
      await sleep(LASTS_MS / 4);
    },
  },
  {
    name: 'a server is killed in the middle of its work, and history is compacted meanwhile',
    run: async (arena, observer, server) => {
      const killed = arena.killServer(server);
      await observer.compact();
      await killed;
    },
  },
];
