// Makes the rule of one limit: a lower maximum or a higher minimum refuses values that were valid. The files
// in rules/ say which limit.
import type { JSONSchemaProps } from '@instar/schema';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

interface LimitRule {
  readonly id: string;
  readonly keywords: readonly string[];
  /** What is limited, as messages say it: "length", "number of items". */
  readonly what: string;
  readonly side: 'maximum' | 'minimum';
  /** A schema without the limit, for the examples. */
  readonly base: JSONSchemaProps;
  /** The limit as keywords. */
  readonly set: (limit: number) => JSONSchemaProps;
  readonly limitOf: (schema: JSONSchemaProps) => number | undefined;
  /** A limit that every value satisfies: a minimum length of 0. */
  readonly idle?: number;
  /** Whether other keywords of the old schema ensure the limit already. */
  readonly isImplied?: (old: JSONSchemaProps, limit: number) => boolean;
}

export function limitRule(limit: LimitRule): SchemaRule {
  const { id, keywords, what, side, base, set } = limit;
  const [strict, loose] = side === 'maximum' ? [5, 10] : [10, 5];
  return {
    kind: 'schema',
    id,
    title: `The ${side} ${what} changed`,
    severity: 'breaking',
    breaks: ['writers', 'stored objects'],
    keywords,
    explanation: `${side === 'maximum' ? 'A lower' : 'A higher'} ${side} of the ${what} refuses values that were valid. Writes of such a value fail; a stored object that has one can be updated only if the API server ratchets validation (Kubernetes 1.30 and later). Loosening the limit is fine, but cannot be undone later.`,
    instead:
      'Keep the limit in this version and tighten it in a new version, or first warn in the controller or with an admission policy.',
    examples: [
      {
        title: `${side} tightened`,
        old: wrap(base, set(loose)),
        new: wrap(base, set(strict)),
        severity: 'breaking',
      },
      {
        title: `${side} introduced`,
        old: wrap(base, {}),
        new: wrap(base, set(strict)),
        severity: 'breaking',
      },
      {
        title: `${side} loosened`,
        old: wrap(base, set(strict)),
        new: wrap(base, set(loose)),
        severity: 'safe',
      },
      { title: `${side} removed`, old: wrap(base, set(strict)), new: wrap(base, {}), severity: 'safe' },
    ],
    compare: (pair) => compareLimit(pair, limit),
  };
}

function wrap(base: JSONSchemaProps, limit: JSONSchemaProps): JSONSchemaProps {
  return { type: 'object', properties: { value: { ...base, ...limit } } };
}

function compareLimit(
  { old, new: next }: NodePair,
  { limitOf, side, what, idle, isImplied }: LimitRule,
): readonly Change[] {
  const was = limitOf(old) ?? idle;
  const is = limitOf(next) ?? idle;
  if (was === is) return [];
  const tightened = is !== undefined && (was === undefined || (side === 'maximum' ? is < was : is > was));
  const message = `${side} ${what} ${described(was, is, idle)}`;
  if (!tightened) return [{ severity: 'safe', message, breaks: [] }];
  return [
    isImplied?.(old, is) === true
      ? { severity: 'safe', message: `${message}, which other keywords ensured already`, breaks: [] }
      : { severity: 'breaking', message },
  ];
}

function described(was: number | undefined, is: number | undefined, idle: number | undefined): string {
  if (is === undefined || is === idle) return `no longer limited (was ${was})`;
  return was === undefined || was === idle ? `limited to ${is}` : `changed from ${was} to ${is}`;
}
