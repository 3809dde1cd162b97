import { describe, expect, it } from 'vitest';
import { definitionOf } from '../definition/normal-form.ts';
import { object, widgets } from '../testing/widgets.ts';
import { checkObjects } from './check-objects.ts';

const crd = (spec: object) => definitionOf(widgets({ v1: { spec } }))!;
const widget = (name: string, spec: object) => ({
  apiVersion: 'foomake.io/v1',
  kind: 'Widget',
  metadata: { namespace: 'a', name },
  spec: spec as never,
});

describe('checkObjects', () => {
  it('counts objects that become invalid, by path', () => {
    const was = crd(object({ sizes: { type: 'array', items: { type: 'integer', maximum: 100 } } }));
    const is = crd(object({ sizes: { type: 'array', items: { type: 'integer', maximum: 10 } } }));
    const objects = [
      widget('fits', { sizes: [1] }),
      widget('large', { sizes: [1, 50] }),
      widget('larger', { sizes: [60] }),
      widget('never', { sizes: [200] }),
    ];
    const { findings, ...counts } = checkObjects(was, is, objects);
    expect(counts).toEqual({ checked: 4, invalid: 2, invalidBefore: 1, pruned: 0, ofRemovedVersion: 0 });
    expect(findings).toMatchObject([
      {
        rule: 'objects-invalid',
        path: 'spec.sizes[*]',
        message: '2 of 4 objects are not valid here',
        evidence: [{}, { text: 'a/large, a/larger' }],
      },
    ]);
  });

  it('counts objects that lose fields', () => {
    const { findings, pruned } = checkObjects(crd(object({ color: { type: 'string' } })), crd(object({})), [
      widget('red', { color: 'red' }),
      widget('plain', {}),
    ]);
    expect(pruned).toBe(1);
    expect(findings).toMatchObject([{ rule: 'objects-pruned', path: 'spec.color' }]);
  });

  it('ignores other kinds', () => {
    const definition = crd(object({}));
    const { checked } = checkObjects(definition, definition, [
      widget('a', {}),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
    ]);
    expect(checked).toBe(1);
  });

  it('counts objects of a removed version', () => {
    const was = crd(object({}));
    const is = definitionOf(widgets({ v2: { spec: object({}) } }))!;
    const { checked, ofRemovedVersion } = checkObjects(was, is, [widget('a', {})]);
    expect({ checked, ofRemovedVersion }).toEqual({ checked: 1, ofRemovedVersion: 1 });
  });
});
