import { describe, expect, it } from 'vitest';
import { encodeJson } from './encode.ts';

describe('encodeJson', () => {
  it('writes integers beyond 2^53 exactly', () => {
    expect(encodeJson({ a: [9007199254740993n, 1], b: 'x', c: undefined })).toBe('{"a":[9007199254740993,1],"b":"x"}');
  });

  it('writes everything else as JSON.stringify does', () => {
    expect(encodeJson({ a: [null, true, 1.5, 'é"'], b: {} })).toBe('{"a":[null,true,1.5,"é\\""],"b":{}}');
  });
});
