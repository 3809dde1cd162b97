import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy.ts';

const PROXY = { HTTPS_PROXY: 'proxy:3128' };
const server = new URL('https://api.example.com:6443');

describe('a proxy', () => {
  it('is that of the kubeconfig, else that of the environment', () => {
    expect(proxyFor(server, 'http://own:1', PROXY)).toBe('http://own:1');
    expect(proxyFor(server, undefined, PROXY)).toBe('http://proxy:3128');
    expect(proxyFor(server, undefined, { https_proxy: 'http://small:1' })).toBe('http://small:1');
    expect(proxyFor(server, undefined, { HTTP_PROXY: 'http://plain:1' })).toBeUndefined();
    expect(() => proxyFor(server, 'socks5://p:1', {})).toThrow('socks5:// is not supported');
  });

  it.each([
    ['*', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['api.example.com:6443', true],
    ['api.example.com:443', false],
    ['other.com, EXAMPLE.com', true],
    ['ample.com', false],
    ['', false],
  ])('is bypassed with NO_PROXY %j: %s', (noProxy, passed) => {
    expect(proxyFor(server, undefined, { ...PROXY, NO_PROXY: noProxy }) === undefined).toBe(passed);
  });

  it.each([
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '11.0.0.0/8,10.0.0.0/99,x/8', false],
    ['https://[fd00::1]:6443', 'fd00::/8', true],
    ['https://127.0.0.1:6443', '', true],
    ['https://localhost:6443', '', true],
  ])('%s is reached directly with %j: %s', (url, noProxy, direct) => {
    expect(proxyFor(new URL(url), undefined, { ...PROXY, NO_PROXY: noProxy }) === undefined).toBe(direct);
  });
});
