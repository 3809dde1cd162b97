import { describe, expect, it } from 'vitest';
import { configMaps } from './config-map.ts';
import { Trial } from './trial.ts';

const trial = new Trial(configMaps);
const MIB = 1024 * 1024;
const IMMUTABLE = 'Forbidden: field is immutable when `immutable` is set';

describe('config maps', () => {
  it.each([
    [
      { data: { x: '1' }, binaryData: { x: 'MQ==' } },
      ['data[x]: Invalid value: "x": duplicate of key present in binaryData'],
    ],
    [{ data: { '..': '1' } }, [`data[..]: Invalid value: "..": must not be '..'`]],
    [{ data: { '..a': '1' } }, [`data[..a]: Invalid value: "..a": must not start with '..'`]],
    [
      { metadata: { name: 'A' } },
      [expect.stringContaining('metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain')],
    ],
    [{ data: { 'a-b_c.D': '' } }, []],
  ])('are validated: %j', (body, faults) => {
    expect(trial.faults(body)).toEqual(faults);
  });

  it('hold at most one mebibyte in data and binaryData together', () => {
    const bytes = (n: number) => Buffer.alloc(n).toString('base64');
    expect(trial.faults({ data: { a: 'é'.repeat(MIB / 4) }, binaryData: { b: bytes(MIB / 2) } })).toEqual([]);
    expect(trial.faults({ data: { a: 'é'.repeat(MIB / 4) }, binaryData: { b: bytes(MIB / 2 + 1) } })).toEqual(
      ['[]: Too long: may not be more than 1048576 bytes'],
    );
  });

  it('cannot be changed when immutable, except for their metadata', () => {
    const old = { immutable: true, data: { a: '1' } };
    expect(trial.update({ ...old, metadata: { labels: { a: 'b' } } }, old).faults).toEqual([]);
    expect(trial.update({ data: { a: '2' }, binaryData: { b: 'MQ==' } }, old).faults).toEqual([
      `immutable: ${IMMUTABLE}`,
      `data: ${IMMUTABLE}`,
      `binaryData: ${IMMUTABLE}`,
    ]);
  });

  it('show the number of their entries', () => {
    expect(trial.columnNames).toEqual(['Name', 'Data', 'Age']);
    expect(
      trial.cells(
        { metadata: { creationTimestamp: '1970-01-01T00:00:00Z' }, data: { a: '' }, binaryData: { b: '' } },
        90_000,
      ),
    ).toEqual(['a', 2, '90s']);
  });
});
