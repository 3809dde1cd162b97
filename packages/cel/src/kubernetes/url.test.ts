import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseUrl,
  requestUriError,
  type Url,
  urlEscapedPath,
  urlHost,
  urlHostname,
  urlPort,
  urlQuery,
  urlScheme,
  urlText,
} from './url.ts';

function url(text: string): Url {
  const parsed = parseUrl(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('parseUrl', () => {
  it('takes a URL apart', () => {
    const parsed = url('HTTPS://user:pass@example.com:80/path%20to/x?k=1&k=2#top');
    expect([
      urlScheme(parsed),
      urlHost(parsed),
      urlHostname(parsed),
      urlPort(parsed),
      urlEscapedPath(parsed),
    ]).toEqual(['https', 'example.com:80', 'example.com', '80', '/path%20to/x']);
    expect(Object.fromEntries(urlQuery(parsed))).toEqual({ k: ['1', '2'] });
  });

  it('knows IPv6 hosts, absolute paths and opaque URLs', () => {
    const local = url('https://[::1]:8080/');
    expect([urlHost(local), urlHostname(local), urlPort(local)]).toEqual(['[::1]:8080', '::1', '8080']);
    const path = url('/a/b?x');
    expect([urlScheme(path), urlHost(path), urlPort(path), urlEscapedPath(path)]).toEqual([
      '',
      '',
      '',
      '/a/b',
    ]);
    const mail = url('mailto:someone@example.com');
    expect([urlScheme(mail), urlHost(mail), urlEscapedPath(mail)]).toEqual(['mailto', '', '']);
    expect(urlHostname(url('http://[fe80::1%25en0]/'))).toBe('fe80::1%en0');
  });

  it('escapes the path where it was not written escaped', () => {
    expect(urlEscapedPath(url('https://example.com/a b'))).toBe('/a%20b');
    expect(urlEscapedPath(url('https://example.com/é'))).toBe('/%C3%A9');
    expect(urlEscapedPath(url('https://example.com/a%2fb'))).toBe('/a%2fb');
    expect(urlEscapedPath(url('https://example.com'))).toBe('');
    expect(urlEscapedPath(url('*'))).toBe('*');
  });

  it('decodes the query and leaves out what does not decode', () => {
    const query = urlQuery(url('https://h/?a=1&b=%C3%A9+x&c&=v&bad=%zz&no;semi=1'));
    expect(Object.fromEntries(query)).toEqual({ a: ['1'], b: ['é x'], c: [''], '': ['v'] });
    expect(urlQuery(url('https://h/?')).size).toBe(0);
  });

  it('says what is wrong', () => {
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
  it('is equal for equal URLs and keeps the fragment', () => {
    expect(urlText(url('HTTP://h/a'))).toBe(urlText(url('http://h/a')));
    expect(urlText(url('http://h/a#f'))).toBe('http://h/a#f');
    expect(urlText(url('http://u:p@h?'))).toBe('http://u:p@h?');
    expect(urlText(url('/a b'))).toBe('/a%20b');
    expect(urlText(url('file:///a'))).toBe('file:///a');
  });

  it('parses again to the same URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
        const first = urlText(url(text));
        expect(urlText(url(first))).toBe(first);
      }),
    );
  });
});
