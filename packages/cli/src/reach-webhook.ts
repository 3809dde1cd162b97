// Whether a webhook is listening. Checked before the first review: an unreachable webhook cannot be judged.
import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CommandFailure } from './exit-with-message.ts';
import { readText } from './test/read-yaml.ts';

export interface WebhookAccess {
  readonly ca?: string;
  readonly insecure: boolean;
}

interface AccessFlags {
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export function webhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new CommandFailure(`${text} is not an http or https URL`);
  return url;
}

export async function webhookAccess({ caFile, insecure = false }: AccessFlags): Promise<WebhookAccess> {
  if (caFile === undefined) return { insecure };
  const ca = await readText(caFile);
  try {
    new X509Certificate(ca);
  } catch {
    throw new CommandFailure(
      `${caFile} contains no certificate: --ca-file needs the CA of the webhook, as PEM`,
    );
  }
  return { insecure, ca };
}

const TIMEOUT_MS = 10_000;

/** Connects up to the end of the TLS handshake, and sends nothing. */
export async function reachWebhook(url: URL, access: WebhookAccess, timeoutMs = TIMEOUT_MS): Promise<void> {
  const socket = connect(url, access);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', resolve).once('error', reject);
      socket.setTimeout(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    });
  } catch (error) {
    throw new CommandFailure(
      `the webhook ${url.href} is unreachable: ${reasonOf(error as NodeJS.ErrnoException)}`,
    );
  } finally {
    socket.destroy();
  }
}

/** Certificate errors have no syscall. */
function reasonOf({ message, code, syscall }: NodeJS.ErrnoException): string {
  const reason = message || String(code);
  return code === undefined || syscall !== undefined
    ? reason
    : `${reason} (--ca-file names the CA, --insecure accepts any certificate)`;
}

function connect({ protocol, hostname, port }: URL, { ca, insecure }: WebhookAccess): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol === 'http:') return connectTcp({ host, port: Number(port || 80) });
  const isName = !/^[\d.]+$|:/.test(host);
  return connectTls({
    host,
    port: Number(port || 443),
    rejectUnauthorized: !insecure,
    ...(isName && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
}
