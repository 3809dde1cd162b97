import { describe, expect, it } from 'vitest';
import { DuplicateFields } from './duplicate-fields.ts';
import { parseExactly } from './parse.ts';

describe('DuplicateFields', () => {
  it('are reported once, in the order in which they are found', () => {
    const { duplicates } = parseExactly('{"a":{"b":1,"b":2,"b":3},"c":[{},{"d":1,"d":1}],"a":{"b":1,"b":2}}');
    expect(duplicates).toEqual(['duplicate field "a.b"', 'duplicate field "c[1].d"', 'duplicate field "a"']);
  });

  it('does not look up the way to a field again that is repeated', () => {
    let steps = 0;
    const path = new Proxy(
      Array.from({ length: 500 }, () => 'a'),
      {
        get: (target, index) => {
          steps++;
          return Reflect.get(target, index);
        },
      },
    );
    const duplicates = new DuplicateFields();
    for (let i = 0; i < 1_000; i++) {
      duplicates.moved(499);
      duplicates.note(path, 499);
    }
    expect(duplicates.errors).toHaveLength(1);
    expect(steps).toBeLessThan(3_000);
  });

  it('stops at a hundred fields', () => {
    const members = Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":1`);
    expect(parseExactly(`{${members.join(',')}}`).duplicates).toHaveLength(100);
  });

  it('stops when the paths become longer than a body may be', () => {
    const members = Array.from({ length: 90 }, (_, i) => `"k${i}":1,"k${i}":1`);
    const { duplicates } = parseExactly(`{"${'x'.repeat(400_000)}":{${members.join(',')}}}`);
    expect(duplicates).toHaveLength(3);
  });
});
