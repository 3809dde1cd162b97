import { describe, expect, it } from 'vitest';
import { isPrintable, quoteGo } from './quote.ts';

describe('quoteGo', () => {
  // The output of Go 1.26 for %q.
  it.each([
    ['', '""'],
    ['a b', '"a b"'],
    ["it's", `"it's"`],
    ['"\\', '"\\"\\\\"'],
    ['\u0000\u0007\b\f\n\r\t\v\u001b\u007f', '"\\x00\\a\\b\\f\\n\\r\\t\\v\\x1b\\x7f"'],
    ['é日𝄞', '"é日𝄞"'],
    ['\u0080\u200b\u3000\u{e0001}', '"\\u0080\\u200b\\u3000\\U000e0001"'],
    ['a\u00a0b\u00ad\ufeff\ue000', '"a\\u00a0b\\u00ad\\ufeff\\ue000"'],
    ['\ufffd', '"\ufffd"'],
  ])('quotes %j as Go does', (text, quoted) => {
    expect(quoteGo(text)).toBe(quoted);
  });

  it('prints a lone surrogate as the character that Go reads it as', () => {
    expect(quoteGo('a\ud800b')).toBe('"a\ufffdb"');
    expect(quoteGo('\udc00\ud800')).toBe('"\ufffd\ufffd"');
  });
});

describe('isPrintable', () => {
  it.each([
    ['a', true],
    [' ', true],
    ['\u0301', true],
    ['\u00a0', false],
    ['\n', false],
    ['\u{10ffff}', false],
  ])('%j: %s', (character, printable) => {
    expect(isPrintable(character)).toBe(printable);
  });
});
