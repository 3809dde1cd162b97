import { describe, expect, it } from 'vitest';
import { lineFinder } from './line-finder.ts';

const TEXT = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: others.foomake.io
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    a: b
  name: widgets.foomake.io # the one
spec:
  group: foomake.io
  versions:
  - additionalPrinterColumns:
    - jsonPath: .spec.size
      name: v1
    name: v1alpha1
    schema:
      openAPIV3Schema:
        type: object
  - name: v1
    schema:
      openAPIV3Schema:
        description: |-
          properties:
            spec: not this one
        properties:
          spec:
            properties:
              'odd key':
                type: string
              rules:
                items:
                  properties:
                    name:
                      description: A name. More
                        info: https://example.org
                      type: string
                type: array
    served: true
`;
const line = (number: number): string => TEXT.split('\n')[number - 1]!.trim();
const at = (version: string | undefined, path: string | undefined): string =>
  line(lineFinder(TEXT)({ crd: 'widgets.foomake.io', version, path }));

describe('the line of a field', () => {
  it.each([
    ['v1', 'spec.rules[*].name', 'name:'],
    ['v1', 'spec.rules', 'rules:'],
    ['v1', 'spec.odd key', "'odd key':"],
    ['v1', 'spec', 'spec:'],
    ['v1', 'spec.gone', 'properties:'],
    ['v1', undefined, '- name: v1'],
    ['v1alpha1', 'spec', 'openAPIV3Schema:'],
    [undefined, undefined, 'spec:'],
  ])('is found in version %s for %s', (version, path, expected) => {
    expect(at(version, path)).toBe(expected);
  });

  it('is the first, where the definition is not', () => {
    expect(lineFinder(TEXT)({ crd: 'nothing.foomake.io' })).toBe(1);
    expect(lineFinder('{"a": 1}')({ crd: 'nothing.foomake.io' })).toBe(1);
  });
});
