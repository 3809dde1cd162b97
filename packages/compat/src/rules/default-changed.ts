// A changed default.
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
    'An unset field means something else than before: the same manifest creates a different object.',
  instead:
    'Keep the default in this version and change it in a new one, whose conversion sets the old value explicitly.',
  examples: [
    {
      title: 'unset means something else',
      old: field({ default: 'fast' }),
      new: field({ default: 'slow' }),
      severity: 'breaking',
    },
    {
      title: 'the same duration, written differently',
      old: field({ default: '1h' }),
      new: field({ default: '1h0m0s' }),
      severity: 'caution',
    },
    {
      title: 'unchanged',
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
        {
          severity: 'caution',
          message: `${message}: the same duration, written differently`,
          breaks: ['readers'],
        },
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
