// Where a webhook is called: read from its client configuration by Go's URL parser, which also validates it,
// since a browser's refuses some of what Go accepts. Other invalid addresses fail when the connection is
// made.
import { isIP } from 'node:net';
import { posix } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { domainToASCII } from 'node:url';
import { escapeUrlPath, parseGoUrl, urlHostname, urlPort } from '@instar/go';
import type { WebhookClientConfig } from '@instar/machinery';

export interface WebhookTarget {
  readonly origin: string;
  /** As client-go writes it: no slash at the end. */
  readonly path: string;
  /** The headers of every request. */
  readonly headers: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
  /** For a URL. Throws if the address is invalid. */
  address(): ConnectionOptions;
}

/** The target, or why there is none, with upstream's text where it has one. */
export function webhookTarget({ url = '', service }: WebhookClientConfig): WebhookTarget | string {
  if (service !== undefined) {
    const { namespace, name, path = '', port = 443 } = service;
    const host = `${name}.${namespace}.svc`;
    return { ...targetAt(host, String(port), path), service: { namespace, name, port } };
  }
  if (url === '') return 'webhook configuration must have either service or URL';
  const parsed = parseGoUrl(url);
  if (typeof parsed === 'string') return `Unparsable URL: ${parsed}`;
  if (parsed.scheme !== 'https') return `unsupported protocol scheme ${JSON.stringify(parsed.scheme)}`;
  const host = asciiHost(urlHostname(parsed));
  return host === ''
    ? `Post ${JSON.stringify(url)}: http: invalid Host header`
    : targetAt(host, urlPort(parsed), parsed.path);
}

/** Names in other scripts are looked up, and sent, in their ASCII form. */
function asciiHost(host: string): string {
  return /^[\x21-\x7e]*$/.test(host) ? host : domainToASCII(host);
}

function targetAt(host: string, port: string, path: string): WebhookTarget {
  const name = host.includes(':') ? `[${host}]` : host;
  const authority = port === '' ? name : `${name}:${port}`;
  // Without this header, a webhook may choose any encoding.
  const headers = `host: ${authority}\r\ncontent-type: application/json\r\naccept: application/json, */*\r\naccept-encoding: identity\r\n`;
  return {
    origin: `https://${authority}`,
    path: escapeUrlPath(cleanPath(path)),
    headers,
    address: () => addressOf(host, port),
  };
}

/** An IP address sends no server name, and the certificate must have the address. */
function addressOf(host: string, port: string): ConnectionOptions {
  const number = port === '' ? 443 : Number(port);
  if (number > 65_535) throw new Error(`dial tcp: address ${port}: invalid port`);
  return { host, port: number, ...(isIP(host) === 0 && { servername: host }) };
}

const cleanPath = (path: string): string => posix.join('/', path).replace(/(?<=.)\/$/, '');
