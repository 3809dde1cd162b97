// What the two protocols need from the listener that serves them.
import type { Writable } from 'node:stream';
import type { Handler } from './exchange.ts';
import type { OpenStreams } from './open-streams.ts';

export interface Transport {
  /** The whole pipeline: it answers errors itself, so a rejection is a bug. */
  readonly handle: Handler;
  readonly maxBodyBytes: number;
  readonly streams: OpenStreams;
  readonly closing: boolean;
  /** For a rejected `handle` or a throw while writing: logs, and breaks the answer off. */
  onBug(out: Writable, error: unknown): void;
}
