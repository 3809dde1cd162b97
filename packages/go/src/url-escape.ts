// Percent-encoding with the rules that Go applies to each part of a URL. It works on byte strings.
import { quoteByteString } from './byte-string.ts';

export type UrlPart = 'path' | 'host' | 'zone' | 'userinfo' | 'query' | 'fragment';

export class UrlSyntaxError extends Error {}

const hostExtra = '!$&\'()*+,;=:[]<>"';
const reserved = '$&+,/:;=?@';
const escapedReserved: Partial<Record<UrlPart, string>> = {
  path: '?',
  userinfo: '@/?:',
  query: reserved,
  fragment: '',
};

export function mustEscape(char: string, part: UrlPart): boolean {
  if (/^[a-zA-Z0-9\-_.~]$/.test(char)) return false;
  if ((part === 'host' || part === 'zone') && hostExtra.includes(char)) return false;
  if (reserved.includes(char)) return escapedReserved[part]?.includes(char) ?? true;
  return !(part === 'fragment' && '!()*'.includes(char));
}

export function escapeUrl(text: string, part: UrlPart): string {
  let escaped = '';
  for (const char of text) escaped += mustEscape(char, part) ? percentEncoded(char) : char;
  return escaped;
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

export function unescapeUrl(text: string, part: UrlPart): string {
  // Most paths have nothing to unescape or refuse.
  if (part === 'path' && !text.includes('%')) return text;
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '%') {
      plain += unescapedByte(text.slice(at, at + 3), part);
      at += 2;
    } else plain += unescapedChar(char, part);
  }
  return plain;
}

function unescapedChar(char: string, part: UrlPart): string {
  if ((part === 'host' || part === 'zone') && char < '\x80' && mustEscape(char, part)) {
    throw new UrlSyntaxError(`invalid character ${quoteByteString(char)} in host name`);
  }
  return part === 'query' && char === '+' ? ' ' : char;
}

function unescapedByte(sequence: string, part: UrlPart): string {
  const wrong = () => new UrlSyntaxError(`invalid URL escape ${quoteByteString(sequence)}`);
  if (!/^%[0-9a-fA-F]{2}$/.test(sequence)) throw wrong();
  const char = String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
  if (sequence === '%25') return char;
  // A host may escape only non-ASCII bytes, and a zone only bytes that are valid in it unescaped, apart from
  // the space.
  if (part === 'host' && char < '\x80') throw wrong();
  if (part === 'zone' && char !== ' ' && mustEscape(char, 'host')) throw wrong();
  return char;
}
