import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ConnectionPolicy, Http1Exchange } from './http1-exchange.ts';

const POLICY: ConnectionPolicy = { isClosing: false, closesUnread: false };

/** An exchange of which only the head of the answer is checked. */
function exchange(message: object, policy = POLICY) {
  const heads: [number, Record<string, unknown>][] = [];
  const out = Object.assign(new PassThrough(), {
    writeHead: (status: number, headers: Record<string, unknown>) => heads.push([status, headers]),
  });
  const body = Object.assign(new PassThrough(), { headers: {}, rawHeaders: [], complete: true, ...message });
  const made = new Http1Exchange(
    body as unknown as IncomingMessage,
    out as unknown as ServerResponse,
    policy,
  );
  return { made, heads, out };
}

describe('an exchange over HTTP/1.1', () => {
  it('has the path even if a proxy sends the whole URL', () => {
    const urlOf = (url: string): string => exchange({ url }).made.url;
    expect(urlOf('/a?b')).toBe('/a?b');
    expect(urlOf('https://host:1/a?b')).toBe('/a?b');
    expect(urlOf('http://host')).toBe('/');
  });

  it('sends the content-length of the whole body', () => {
    const { made, heads } = exchange({});
    made.send(200, {}, [Buffer.from('ab'), Buffer.from('c')]);
    expect(heads).toEqual([[200, { 'content-length': '3' }]]);
  });

  it('sends no body in answer to HEAD', () => {
    const { made, out } = exchange({ method: 'HEAD' });
    made.send(200, {}, [Buffer.from('ab')]);
    expect([out.writableEnded, out.read()]).toEqual([true, null]);
  });

  it.each([
    ['the listener is closing', { complete: true }, { isClosing: true, closesUnread: false }, 'close'],
    ['a body was not read', { complete: false }, { isClosing: false, closesUnread: true }, 'close'],
    ['a body may be thrown away', { complete: false }, POLICY, undefined],
    ['all was read', { complete: true }, { isClosing: false, closesUnread: true }, undefined],
  ])('closes its connection or not: %s', (_, message, policy, expected) => {
    const { made, heads } = exchange(message, policy);
    made.send(200, {}, []);
    expect(heads[0]![1]['connection']).toBe(expected);
  });

  it('reports an abort only if the client disconnects before it has its answer', async () => {
    const gone: string[] = [];
    const [early, late, served] = [exchange({}), exchange({}), exchange({})];
    early.out.destroy();
    early.made.onAborted(() => gone.push('early'));
    late.made.onAborted(() => gone.push('late'));
    late.out.destroy();
    served.made.onAborted(() => gone.push('served'));
    served.out.resume();
    served.made.send(200, {}, []);
    await new Promise((resolve) => served.made.onClosed(() => resolve(undefined)));
    expect(gone).toEqual(['early', 'late']);
  });
});
