// When a session of HTTP/2 is idle: nothing was sent for a while in either direction, and no response is
// being streamed. Requests that are only slow need not be counted: closing a session lets them finish.
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';

const streaming = new WeakMap<ServerHttp2Session, number>();

/** The session of a response that is streamed stays open, however quiet it is. */
export function keepSessionOpen(stream: ServerHttp2Stream): void {
  const { session } = stream;
  if (session === undefined) return;
  const owner = session as ServerHttp2Session;
  add(owner, 1);
  stream.once('close', () => add(owner, -1));
}

function add(session: ServerHttp2Session, count: 1 | -1): void {
  streaming.set(session, (streaming.get(session) ?? 0) + count);
}

export function closeWhenIdle(session: ServerHttp2Session, idleMs: number): void {
  // Node calls what setTimeout is given only once.
  session.setTimeout(idleMs);
  session.on('timeout', () => {
    if ((streaming.get(session) ?? 0) === 0) session.close();
  });
}
