import { expect, it } from 'vitest';
import { webhookTarget } from './webhook-target.ts';

const targetOf = (url: string) => {
  const target = webhookTarget({ url });
  if (typeof target === 'string') throw new Error(target);
  return target;
};
const addressOf = (url: string) => targetOf(url).address();

it('a URL without a port is called at 443, by the name of its host', () => {
  expect(targetOf('https://hooks.example.com')).toMatchObject({
    origin: 'https://hooks.example.com',
    path: '/',
  });
  expect(addressOf('HTTPS://hooks.example.com:/x')).toEqual({
    host: 'hooks.example.com',
    port: 443,
    servername: 'hooks.example.com',
  });
});

it('an IP address sends no server name', () => {
  expect(addressOf('https://127.0.0.1:8443/')).toEqual({ host: '127.0.0.1', port: 8443 });
  expect(addressOf('https://[::1]:8443/')).toEqual({ host: '::1', port: 8443 });
  expect(targetOf('https://[::1]:8443/').headers).toContain('host: [::1]:8443\r\n');
});

it('a port that does not exist fails when it is connected to, as in Go', () => {
  expect(() => addressOf('https://127.0.0.1:99999/')).toThrow('dial tcp: address 99999: invalid port');
});

it('what looks like an IP address and is not is looked up as a name', () => {
  expect(addressOf('https://127.0.0.1.5/')).toMatchObject({ host: '127.0.0.1.5' });
});

it('the path is cleaned unescaped and sent in the standard encoding', () => {
  expect(targetOf('https://h/a%2Fb/../c%20d/').path).toBe('/a/c%20d');
  expect(targetOf('https://h/a%0d%0ax:y').path).toBe('/a%0D%0Ax:y');
});

it('a name in another script is sent in ASCII', () => {
  expect(targetOf('https://bücher.example/').headers).toContain('host: xn--bcher-kva.example\r\n');
});

it('a configuration that cannot be called says why', () => {
  expect(webhookTarget({})).toBe('webhook configuration must have either service or URL');
  expect(webhookTarget({ url: 'https://[::1/' })).toBe(
    `Unparsable URL: parse "https://[::1/": missing ']' in host`,
  );
  expect(webhookTarget({ url: 'http://h/' })).toBe('unsupported protocol scheme "http"');
});
