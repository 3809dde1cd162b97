import { describe, expect, it } from 'vitest';
import { customColumns } from './custom-columns.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const cell = (type: string, jsonPath: string, spec: object) =>
  customColumns([{ name: 'X', type, jsonPath }])[1]!.cell(
    { kind: 'Row', metadata: { name: 'a' }, spec } as never,
    now,
  );

describe('customColumns', () => {
  it.each([
    ['string', '.spec.x', { x: 'text' }, 'text'],
    ['string', '.spec.x', { x: [1, 2] }, '[1,2]'],
    ['string', '.spec.x', { x: { b: 1, a: 2 } }, '{"a":2,"b":1}'],
    ['string', '.spec.x', {}, null],
    ['string', '.spec.items[*].name', { items: [{ name: 'x' }, { name: 'y' }] }, 'x'],
    ['string', '.spec.items[?(@.name=="y")].name', { items: [{ name: 'x' }, { name: 'y' }] }, 'y'],
    ['integer', '.spec.x', { x: 3 }, 3],
    ['integer', '.spec.x', { x: 3.9 }, 3],
    ['integer', '.spec.x', { x: '3' }, null],
    ['number', '.spec.x', { x: 1.5 }, 1.5],
    ['boolean', '.spec.x', { x: false }, false],
    ['boolean', '.spec.x', { x: 'yes' }, null],
    ['date', '.spec.x', { x: '2026-01-01T00:00:00Z' }, '60m'],
    ['date', '.spec.x', { x: '2999-01-01T00:00:00Z' }, '<invalid>'],
    ['date', '.spec.x', { x: 'soon' }, '<invalid>'],
    ['date', '.spec.x', { x: '' }, '<unknown>'],
    ['date', '.spec.x', { x: 5 }, null],
  ])('%s %s of %j is %j', (type, path, spec, shown) => {
    expect(cell(type, path, spec)).toEqual(shown);
  });

  it('describes a column without a description by its path', () => {
    const [, described, plain] = customColumns([
      { name: 'A', type: 'string', jsonPath: '.spec.a', description: 'An A.', priority: 1, format: 'int32' },
      { name: 'B', type: 'string', jsonPath: '.spec.b' },
    ]);
    expect(described).toMatchObject({ name: 'A', description: 'An A.', priority: 1, format: 'int32' });
    expect(plain).toMatchObject({
      description: 'Custom resource definition column (in JSONPath format): .spec.b',
      priority: 0,
      format: '',
    });
  });

  it('shows name and age if there are no columns', () => {
    expect(customColumns().map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
  });

  it('stops at a column with an invalid path', () => {
    const columns = customColumns([
      { name: 'A', type: 'string', jsonPath: '.spec.a' },
      { name: 'B', type: 'string', jsonPath: '.spec[' },
      { name: 'C', type: 'string', jsonPath: '.spec.c' },
    ]);
    expect(columns.map(({ name }) => name)).toEqual(['Name', 'A']);
  });
});
