// A GET over HTTPS for a small JSON document, with a limit for its size and its time. Redirects are not
// followed.
import { request } from 'node:https';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface FetchOptions {
  /** In PEM; without it the authorities that Node trusts. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

export async function fetchJson(url: string, { ca, signal }: FetchOptions): Promise<unknown> {
  const text = await fetchText(url, ca, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${url} did not answer with JSON`);
  }
}

function fetchText(url: string, ca: string | undefined, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...(ca !== undefined && { ca }), signal, agent: false }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > MAX_BYTES) sent.destroy(new Error(`${url} answered with more than ${MAX_BYTES} bytes`));
        else parts.push(part);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts).toString());
        else reject(new Error(`${url} answered with status ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
