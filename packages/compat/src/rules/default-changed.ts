// A default that became another.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { SchemaRule } from '../rule.ts';
import { show } from '../walk/node-pair.ts';

export const defaultChanged: SchemaRule = {
  kind: 'schema',
  id: 'default-changed',
  title: 'A default changed',
  severity: 'breaking',
  breaks: ['readers', 'writers'],
  keywords: ['default'],
  explanation:
    'Leaving the field out means something else than before: the same manifest creates another object.',
  instead:
    'Keep the default in this version and change it in a new one, whose conversion writes the old value out.',
  examples: [
    {
      title: 'unset means something else',
      old: field({ default: 'fast' }),
      new: field({ default: 'slow' }),
      severity: 'breaking',
    },
    {
      title: 'the same time, written otherwise',
      old: field({ default: '1h' }),
      new: field({ default: '1h0m0s' }),
      severity: 'caution',
    },
    {
      title: 'the same',
      old: field({ default: 'fast' }),
      new: field({ default: 'fast', description: 'How.' }),
      severity: 'none',
    },
  ],
  compare: ({ old, new: next }) => {
    if (old.default === undefined || next.default === undefined || deepEqual(old.default, next.default))
      return [];
    const message = `default changed from ${show(old.default)} to ${show(next.default)}`;
    if (secondsOf(old.default) !== undefined && secondsOf(old.default) === secondsOf(next.default)) {
      return [
        { severity: 'caution', message: `${message}: the same time, written otherwise`, breaks: ['readers'] },
      ];
    }
    return [{ severity: 'breaking', message }];
  },
};

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 1e-6, ns: 1e-9 };

/** Of a duration as Go writes it: 1h0m0s. */
function secondsOf(value: JsonValue): number | undefined {
  if (typeof value !== 'string' || !/^(\d+(\.\d+)?(ms|us|ns|h|m|s))+$/.test(value)) return undefined;
  return [...value.matchAll(/([\d.]+)(ms|us|ns|h|m|s)/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * SECONDS[unit!]!,
    0,
  );
}

function field(more: object): object {
  return { type: 'object', properties: { mode: { type: 'string', ...more } } };
}
