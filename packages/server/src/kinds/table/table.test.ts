import { ApiError } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { ageColumn, NAME_AND_CREATED_AT, nameColumn } from './columns.ts';
import { ageOf, humanDuration } from './human-duration.ts';
import { partialObjectMetadataList } from './partial-metadata.ts';
import { parseIncludeObject, tableOf } from './table.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('humanDuration', () => {
  it.each([
    [-2 * SECOND, '<invalid>'],
    [-1.5 * SECOND, '0s'],
    [0, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [9 * MINUTE + 5 * SECOND, '9m5s'],
    [10 * MINUTE + 5 * SECOND, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [47 * HOUR, '47h'],
    [2 * DAY + 3 * HOUR, '2d3h'],
    [8 * DAY + 3 * HOUR, '8d'],
    [729 * DAY, '729d'],
    [730 * DAY, '2y'],
    [735 * DAY, '2y5d'],
    [8 * 365 * DAY + 9 * DAY, '8y'],
  ])('%d is %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });

  it('is <unknown> without a time', () => {
    expect(ageOf(null, 0)).toBe('<unknown>');
    expect(ageOf(undefined, 0)).toBe('<unknown>');
  });
});

const now = Date.parse('2026-01-01T01:00:00Z');
const object = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {},
};
const options = { version: 'v1', includeObject: 'Metadata', now } as const;

describe('tableOf', () => {
  it('has columns, cells and the metadata of the objects', () => {
    expect(
      tableOf(
        [object],
        [nameColumn, ageColumn],
        { resourceVersion: '5', continue: 'c', remainingItemCount: 2 },
        options,
      ),
    ).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '5', continue: 'c', remainingItemCount: 2 },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: 'Age', type: 'string', format: '', priority: 0 },
      ],
      rows: [
        {
          cells: ['a', '60m'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
        },
      ],
    });
  });

  it('includes as much of the object as includeObject says', () => {
    const shown = (includeObject: 'None' | 'Object') =>
      tableOf([object], [nameColumn], { resourceVersion: '' }, { ...options, includeObject })['rows'];
    expect(shown('None')).toEqual([{ cells: ['a'], object: null }]);
    expect(shown('Object')).toEqual([{ cells: ['a'], object }]);
  });

  it('has no columns in a watch after the first table', () => {
    expect(
      tableOf([], [nameColumn], { resourceVersion: '1' }, { ...options, withColumns: false }),
    ).toMatchObject({
      columnDefinitions: null,
    });
  });

  it('has an empty list or null for no rows, as the printer of upstream does', () => {
    expect(tableOf([], [nameColumn], { resourceVersion: '1' }, options)).toMatchObject({ rows: [] });
    expect(tableOf([], NAME_AND_CREATED_AT, { resourceVersion: '1' }, options)).toMatchObject({ rows: null });
  });

  it('refuses an unknown includeObject', () => {
    expect(parseIncludeObject('')).toBe('Metadata');
    expect(() => parseIncludeObject('Half')).toThrow(ApiError);
    expect(() => parseIncludeObject('Half')).toThrow(
      `includeObject: Invalid value: "Half": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });
});

describe('partialObjectMetadataList', () => {
  it('keeps only the metadata', () => {
    expect(partialObjectMetadataList([object], { resourceVersion: '7' }, 'v1beta1')).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: { resourceVersion: '7' },
      items: [
        { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1beta1', metadata: object.metadata },
      ],
    });
  });
});
