// The proxy to use for a server: that of the kubeconfig, else that of the environment as Go programs read it.
// Without I/O.
import { BlockList, isIP } from 'node:net';
import { KubeconfigError } from '../kubeconfig/kubeconfig-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFor(server: URL, configured: string | undefined, env: Environment): string | undefined {
  const proxy = configured ?? fromEnvironment(server, env);
  if (proxy === undefined) return undefined;
  const whole = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(whole)) throw new KubeconfigError(`${JSON.stringify(proxy)} is not the URL of a proxy`);
  const { protocol } = new URL(whole);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new KubeconfigError(`a proxy must be http or https: ${protocol}// is not supported`);
  return whole;
}

function fromEnvironment(server: URL, env: Environment): string | undefined {
  const of = (name: string): string | undefined => env[name] || env[name.toLowerCase()] || undefined;
  const proxy = server.protocol === 'https:' ? of('HTTPS_PROXY') : of('HTTP_PROXY');
  return proxy === undefined || isLocal(server.hostname) || bypasses(server, of('NO_PROXY') ?? '')
    ? undefined
    : proxy;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

function isLocal(hostname: string): boolean {
  const host = bare(hostname);
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function bypasses(server: URL, noProxy: string): boolean {
  const host = bare(server.hostname).toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  return noProxy.split(',').some((part) => {
    const rule = part.trim().toLowerCase();
    return rule === '*' || (rule !== '' && ruleMatches(rule, host, port));
  });
}

/**
 * A rule is an address range, an address, or a name that matches itself and its subdomains (`.name` only
 * subdomains), optionally with a port.
 */
function ruleMatches(rule: string, host: string, port: string): boolean {
  if (rule.includes('/')) return inRange(rule, host);
  if (isIP(bare(rule)) > 0) return bare(rule) === host;
  const [name = '', rulePort] = rule.replace(/^\*\./, '.').split(':');
  if (rulePort !== undefined && rulePort !== port) return false;
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}

function inRange(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network);
  if (
    family === 0 ||
    isIP(host) !== family ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > (family === 4 ? 32 : 128)
  )
    return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
