// Polls the server's own /readyz, over the network like any client, until it returns ok.
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_MS = 20;
const GIVE_UP_MS = 60_000;

/** False: the server is ended before it is ready. */
export async function untilReady({ url }: { readonly url: string }, ending: AbortSignal): Promise<boolean> {
  const end = Date.now() + GIVE_UP_MS;
  for (;;) {
    const status = await readyStatus(`${url}/readyz`).catch((error: unknown) => {
      if (ending.aborted) return 0;
      throw error;
    });
    if (ending.aborted) return false;
    if (isReady(status)) return true;
    if (Date.now() > end)
      throw new Error(
        `the server did not become ready within ${GIVE_UP_MS / 1000} s: see ${url}/readyz?verbose`,
      );
    await sleep(AGAIN_MS);
  }
}

/** 401 and 403: anonymous requests are refused. The port opens after everything else has started. */
const isReady = (status: number): boolean => status === 200 || status === 401 || status === 403;

function readyStatus(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // The connection is to ourselves and carries no credential. A user's certificate need not name this
    // address, and its file need not contain the CA that signed it.
    const asked = request(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end();
  });
}
