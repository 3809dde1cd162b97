// Asks the server's own /readyz, over the wire like anybody else, until it says ok.
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_MS = 20;
const GIVE_UP_MS = 60_000;

export async function untilReady({
  url,
  caCertificate,
}: {
  readonly url: string;
  readonly caCertificate: string;
}): Promise<void> {
  const end = Date.now() + GIVE_UP_MS;
  while ((await readyStatus(`${url}/readyz`, caCertificate)) !== 200) {
    if (Date.now() > end)
      throw new Error(
        `the server did not become ready within ${GIVE_UP_MS / 1000} s: ask ${url}/readyz?verbose why`,
      );
    await sleep(AGAIN_MS);
  }
}

function readyStatus(url: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // A certificate given by the user need not name this address; the connection is to ourselves.
    const asked = request(url, { ca, checkServerIdentity: () => undefined, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end();
  });
}
