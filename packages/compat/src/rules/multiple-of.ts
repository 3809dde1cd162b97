// The factor that numbers must be a multiple of.
import type { SchemaRule } from '../rule.ts';

export const multipleOf: SchemaRule = {
  kind: 'schema',
  id: 'multiple-of',
  title: 'multipleOf changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['multipleOf'],
  explanation:
    'Unless the old value of multipleOf is a multiple of the new one, numbers that were valid are refused.',
  instead: 'Keep multipleOf in this version; changing it to a divisor is safe.',
  examples: [
    { title: 'introduced', old: counted({}), new: counted({ multipleOf: 2 }), severity: 'breaking' },
    {
      title: 'other multiples',
      old: counted({ multipleOf: 2 }),
      new: counted({ multipleOf: 3 }),
      severity: 'breaking',
    },
    {
      title: 'every multiple of 6 is a multiple of 3',
      old: counted({ multipleOf: 6 }),
      new: counted({ multipleOf: 3 }),
      severity: 'safe',
    },
    { title: 'removed', old: counted({ multipleOf: 2 }), new: counted({}), severity: 'safe' },
  ],
  compare: ({ old, new: next }) => {
    if (old.multipleOf === next.multipleOf) return [];
    const message = `multipleOf changed from ${old.multipleOf ?? 'none'} to ${next.multipleOf ?? 'none'}`;
    const isLooser = divides(next.multipleOf, old.multipleOf);
    return [isLooser ? { severity: 'safe', message, breaks: [] } : { severity: 'breaking', message }];
  },
};

/** kube-apiserver truncates a fraction to 0 before it divides an integer by it, and refuses the integer. */
function divides(factor: number | undefined, multiple: number | undefined): boolean {
  if (factor === undefined) return true;
  return (
    Number.isInteger(Number(factor)) && multiple !== undefined && Number(multiple) % Number(factor) === 0
  );
}

function counted(limit: object): object {
  return { type: 'object', properties: { count: { type: 'integer', ...limit } } };
}
