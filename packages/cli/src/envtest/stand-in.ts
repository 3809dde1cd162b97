// How the API server recognizes the etcd that stands in for one, and takes it for itself.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export const STAND_IN = 'instar-stand-in';
export const CLAIM_PATH = '/instar/claim';

const AGAIN_MS = 20;
const ASK_MS = 1_000;
/** kube-api-test starts both programs without waiting for the first. envtest gives up after 20 s. */
const GIVE_UP_MS = 15_000;

/**
 * Whether the only server of this etcd stands in for one. Anything that does not answer in time, or only
 * with TLS, is left to the client of etcd, which says what is wrong with it.
 */
export async function isStandIn(urls: readonly string[]): Promise<boolean> {
  const [url = ''] = urls;
  if (urls.length !== 1 || !url.startsWith('http://')) return false;
  const end = Date.now() + GIVE_UP_MS;
  while (Date.now() < end) {
    const answer = await ask('GET', new URL('/version', url)).catch(() => undefined);
    if (answer !== undefined) return answer.body.includes(`"${STAND_IN}"`);
    await sleep(AGAIN_MS);
  }
  return false;
}

/** Throws if an API server has used it with this prefix before. */
export async function claimStandIn(url: string, prefix: string): Promise<void> {
  const { status } = await ask('POST', new URL(`${CLAIM_PATH}?prefix=${encodeURIComponent(prefix)}`, url));
  if (status === 200) return;
  throw new Error(
    `another API server has used ${url} with the prefix ${prefix}: its data was in its memory. ` +
      'For data that outlives or is shared by API servers, use a real etcd: instar envtest path --etcd FILE',
  );
}

function ask(method: string, url: URL): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, timeout: ASK_MS }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < 10_000) body += chunk;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', reject);
    sent.end();
  });
}
