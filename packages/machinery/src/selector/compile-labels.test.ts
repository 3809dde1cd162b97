import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLabelRequirements } from './compile-labels.ts';
import type { LabelOperator, LabelRequirement, Labels } from './label-requirement.ts';

/** One requirement, as Kubernetes documents it. */
function holds({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = labels[key];
  const [first = ''] = values;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      if (value === undefined || !/^\d+$/.test(value)) return false;
      return operator === 'gt' ? Number(value) > Number(first) : Number(value) < Number(first);
    default:
      return value !== undefined && values.includes(value);
  }
}

describe('compileLabelRequirements', () => {
  it('selects what the requirements select one by one', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const value = fc.constantFrom('1', '2', '3', 'x');
    const requirement = fc
      .tuple(
        key,
        fc.constantFrom<LabelOperator>('in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'),
        fc.uniqueArray(value, { minLength: 1 }),
        fc.constantFrom('1', '2', '3'),
      )
      .map(([key, operator, values, number]): LabelRequirement => {
        if (operator === 'in' || operator === 'notin') return { key, operator, values };
        if (operator === 'gt' || operator === 'lt') return { key, operator, values: [number] };
        const isAboutKey = operator === 'exists' || operator === '!';
        return { key, operator, values: isAboutKey ? [] : values.slice(0, 1) };
      });
    fc.assert(
      fc.property(
        fc.array(requirement, { maxLength: 6 }),
        fc.dictionary(key, value),
        (requirements, labels) => {
          const matches = compileLabelRequirements(requirements);
          expect(matches(labels)).toBe(requirements.every((each) => holds(each, labels)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each<LabelOperator>(['!', 'exists', 'notin'])(
    'looks up no more labels than the object has, with 5,000 requirements of %s',
    (operator) => {
      let lookups = 0;
      const labels = new Proxy<Record<string, string>>(
        { app: 'web', tier: 'front' },
        {
          getOwnPropertyDescriptor: (target, key) => {
            lookups++;
            return Reflect.getOwnPropertyDescriptor(target, key);
          },
        },
      );
      const values = operator === 'notin' ? ['x'] : [];
      const requirements = Array.from({ length: 5_000 }, (_, i) => ({ key: `k${i}`, operator, values }));
      compileLabelRequirements(requirements)(labels);
      expect(lookups).toBeLessThan(10);
    },
  );
});
