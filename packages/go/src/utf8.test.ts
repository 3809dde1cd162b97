import { describe, expect, it } from 'vitest';
import { compareUtf8, decodeUtf8, decodeValidUtf8, encodeUtf8, utf8Length } from './utf8.ts';

const TEXTS = ['', 'abc', 'é', '日本', '𝄞', 'a\u{10ffff}', '\ufeffx'];

describe('UTF-8', () => {
  it.each(TEXTS)('%j survives a round trip', (text) => {
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
    expect(decodeValidUtf8(encodeUtf8(text))).toBe(text);
  });

  it.each(TEXTS)('the length of %j is that of its bytes', (text) => {
    expect(utf8Length(text)).toBe(encodeUtf8(text).length);
  });

  it('encodes and counts a lone surrogate as U+FFFD', () => {
    expect(decodeUtf8(encodeUtf8('a\ud800'))).toBe('a\ufffd');
    expect(utf8Length('a\ud800')).toBe(4);
    expect(utf8Length('\udc00\ud800')).toBe(6);
  });
});

describe('decodeValidUtf8', () => {
  // Bytes that utf8.Valid of Go 1.26 refuses.
  it.each([
    [[0x80]],
    [[0xc0, 0x80]],
    [[0xc3]],
    [[0xe0, 0x80, 0x80]],
    [[0xed, 0xa0, 0x80]],
    [[0xf4, 0x90, 0x80, 0x80]],
    [[0xff]],
  ])('refuses %j', (bytes) => {
    expect(decodeValidUtf8(Uint8Array.from(bytes))).toBeUndefined();
    expect(decodeUtf8(Uint8Array.from(bytes))).toContain('\ufffd');
  });
});

describe('compareUtf8', () => {
  it('orders texts as Go orders their bytes', () => {
    const sorted = ['', 'a', 'aa', 'b', 'é', '\ud7ff', '\ue000', '\uff5e', '\u{10000}', '\u{1f600}'];
    expect([...sorted].reverse().sort(compareUtf8)).toEqual(sorted);
    expect(compareUtf8('\u{1f600}', '\u{1f600}')).toBe(0);
  });
});
