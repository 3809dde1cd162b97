import { describe, expect, it } from 'vitest';
import { encodeJson } from './encode.ts';
import { encodeGoJson } from './encode-go.ts';

describe('encodeJson', () => {
  it('writes integers beyond 2^53 exactly', () => {
    expect(encodeJson({ a: [9007199254740993n, 1], b: 'x', c: undefined })).toBe(
      '{"a":[9007199254740993,1],"b":"x"}',
    );
  });

  it('writes everything else as JSON.stringify does', () => {
    expect(encodeJson({ a: [null, true, 1.5, 'é"'], b: {} })).toBe('{"a":[null,true,1.5,"é\\""],"b":{}}');
  });
});

describe('encodeGoJson', () => {
  it('orders keys by bytes and escapes characters that are special in HTML', () => {
    expect(encodeGoJson({ b: '<é&>', a: [1n, null, { '\u{1f600}': 1, '\uff5e': 2 }] })).toBe(
      '{"a":[1,null,{"\uff5e":2,"\u{1f600}":1}],"b":"\\u003cé\\u0026\\u003e"}',
    );
  });
});
