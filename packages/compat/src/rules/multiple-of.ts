// The factor that numbers must be a multiple of.
import type { SchemaRule } from '../rule.ts';

export const multipleOf: SchemaRule = {
  kind: 'schema',
  id: 'multiple-of',
  title: 'The factor of a number changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['multipleOf'],
  explanation: 'Unless the old factor is a multiple of the new one, numbers that were valid are refused.',
  instead: 'Keep the factor in this version; a divisor of it would be safe.',
  examples: [
    { title: 'introduced', old: counted({}), new: counted({ multipleOf: 2 }), severity: 'breaking' },
    {
      title: 'other multiples',
      old: counted({ multipleOf: 2 }),
      new: counted({ multipleOf: 3 }),
      severity: 'breaking',
    },
    {
      title: 'every multiple of 6 is one of 3',
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

/** kube-apiserver cuts a fraction to 0 before it divides a whole number by it, and refuses the number. */
function divides(factor: number | undefined, multiple: number | undefined): boolean {
  if (factor === undefined) return true;
  return (
    Number.isInteger(Number(factor)) && multiple !== undefined && Number(multiple) % Number(factor) === 0
  );
}

function counted(limit: object): object {
  return { type: 'object', properties: { count: { type: 'integer', ...limit } } };
}
