import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GoUrl,
  parseGoRequestUri,
  parseGoUrl,
  requestUriError,
  urlHostname,
  urlPort,
  urlQuery,
} from './url.ts';

function url(text: string): GoUrl {
  const parsed = parseGoUrl(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('parseGoUrl', () => {
  it('splits a URL into its parts', () => {
    const parsed = url('HTTPS://user:pass@example.com:80/path%20to/x?k=1&k=2#top');
    expect([parsed.scheme, parsed.host, urlHostname(parsed), urlPort(parsed), parsed.escapedPath]).toEqual([
      'https',
      'example.com:80',
      'example.com',
      '80',
      '/path%20to/x',
    ]);
    expect(Object.fromEntries(urlQuery(parsed))).toEqual({ k: ['1', '2'] });
  });

  it('parses IPv6 hosts, absolute paths and opaque URLs', () => {
    const local = url('https://[::1]:8080/');
    expect([local.host, urlHostname(local), urlPort(local)]).toEqual(['[::1]:8080', '::1', '8080']);
    const path = url('/a/b?x');
    expect([path.scheme, path.host, urlPort(path), path.escapedPath]).toEqual(['', '', '', '/a/b']);
    const mail = url('mailto:someone@example.com');
    expect([mail.scheme, mail.host, mail.escapedPath]).toEqual(['mailto', '', '']);
    expect(urlHostname(url('http://[fe80::1%25en0]/'))).toBe('fe80::1%en0');
  });

  it('escapes the path if it was not', () => {
    expect(url('https://example.com/a b').escapedPath).toBe('/a%20b');
    expect(url('https://example.com/é').escapedPath).toBe('/%C3%A9');
    expect(url('https://example.com/a%2fb').escapedPath).toBe('/a%2fb');
    expect(url('https://example.com').escapedPath).toBe('');
    expect(url('*').escapedPath).toBe('*');
  });

  it('decodes the query without pairs that do not decode', () => {
    const query = urlQuery(url('https://h/?a=1&b=%C3%A9+x&c&=v&bad=%zz&no;semi=1'));
    expect(Object.fromEntries(query)).toEqual({ a: ['1'], b: ['é x'], c: [''], '': ['v'] });
    expect(urlQuery(url('https://h/?')).size).toBe(0);
  });

  it('reports errors in the words of Go', () => {
    for (const [text, error] of [
      ['', 'empty url'],
      ['a b', 'invalid URI for request'],
      ['../relative', 'invalid URI for request'],
      [':x', 'missing protocol scheme'],
      ['https://a:b:c/', 'invalid port ":b:c" after host'],
      ['http://::1/', 'invalid port "::1" after host'],
      ['http://[::1', "missing ']' in host"],
      ['http://[::1]x/', 'invalid port "x" after host'],
      ['http://[1.2.3.4]/', 'invalid IP-literal'],
      ['http://[x]/', 'invalid host: ParseAddr("x"): unable to parse IP'],
      ['http://a b/', 'invalid character " " in host name'],
      ['http://a%41/', 'invalid URL escape "%41"'],
      ['http://h/%zz', 'invalid URL escape "%zz"'],
      ['http://h/%4', 'invalid URL escape "%4"'],
      ['http://u^@h/', 'net/url: invalid userinfo'],
    ] as const) {
      expect(requestUriError(text), text).toBe(`parse "${text}": ${error}`);
    }
    expect(requestUriError('http://h/\n')).toBe(
      'parse "http://h/\\n": net/url: invalid control character in URL',
    );
  });
});

describe('urlText', () => {
  it('is equal for equal URLs, including the fragment', () => {
    expect(url('HTTP://h/a').text).toBe(url('http://h/a').text);
    expect(url('http://h/a#f').text).toBe('http://h/a#f');
    expect(url('http://u:p@h?').text).toBe('http://u:p@h?');
    expect(url('/a b').text).toBe('/a%20b');
    expect(url('file:///a').text).toBe('file:///a');
  });

  it('parses again to the same URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
        const first = url(text).text;
        expect(url(first).text).toBe(first);
      }),
    );
  });
});

describe('parseGoRequestUri', () => {
  it('treats a fragment as part of the path', () => {
    expect(parseGoRequestUri('http://h/a#b')).toMatchObject({ escapedPath: '/a%23b', fragment: '' });
  });

  it('requires a scheme or a slash', () => {
    expect(parseGoRequestUri('a/b')).toBe('parse "a/b": invalid URI for request');
    expect(parseGoUrl('a/b')).toMatchObject({ scheme: '', host: '', escapedPath: 'a/b' });
  });
});

describe('corner cases of Go 1.26', () => {
  it.each([
    ['http://a:1:2/', 'parse "http://a:1:2/": invalid port ":1:2" after host'],
    ['http://h/%{é', 'parse "http://h/%{é": invalid URL escape "%{\\xc3"'],
    ['http://h/%é', 'parse "http://h/%é": invalid URL escape "%é"'],
    ['http://a^b/', 'parse "http://a^b/": invalid character "^" in host name'],
    ['p:q/%zz#%zz', 'parse "p:q/%zz#%zz": invalid URL escape "%zz"'],
  ])('refuses %j', (text, error) => {
    expect(parseGoUrl(text)).toBe(error);
  });

  it.each([
    ['mongodb://a:1,b:2/', 'mongodb://a:1,b:2/'],
    ['x:/a', 'x:/a'],
    ['x:///a', 'x:///a'],
    ['x:', 'x:'],
    ['//u@h/p?q#f', '//u@h/p?q#f'],
    ['http://h/#a%20b c', 'http://h/#a%20b%20c'],
  ])('prints %j as %j', (text, printed) => {
    expect(parseGoUrl(text)).toMatchObject({ text: printed });
  });
});
