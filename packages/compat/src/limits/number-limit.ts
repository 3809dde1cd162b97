// Limits of numbers, exclusive or inclusive. For integers an exclusive limit equals the adjacent inclusive
// one.
import type { JSONSchemaProps } from '@instar/schema';
import type { Change } from '../rule.ts';
import { conjunctsOf, type NodePair } from '../walk/node-pair.ts';

interface NumberLimit {
  readonly at: number;
  readonly exclusive: boolean;
}

export type Side = 'maximum' | 'minimum';

export function compareNumberLimit({ old, new: next }: NodePair, side: Side): readonly Change[] {
  const was = limitOf(old, side);
  const is = limitOf(next, side);
  if (order(was, is, side) === 0) return [];
  const message = `${side} changed from ${shown(was)} to ${shown(is)}`;
  if (isFractional(next, is?.at))
    return [
      {
        severity: 'breaking',
        message: `${message}, which is not an integer: the API server then refuses every integer`,
      },
    ];
  return [
    order(was, is, side) > 0 ? { severity: 'breaking', message } : { severity: 'safe', message, breaks: [] },
  ];
}

/** kube-apiserver refuses every integer if a limit is not an integer itself. */
function isFractional({ type }: JSONSchemaProps, limit: number | undefined): boolean {
  return type === 'integer' && limit !== undefined && !Number.isInteger(Number(limit));
}

function limitOf(schema: JSONSchemaProps, side: Side): NumberLimit | undefined {
  const exclusiveKeyword = side === 'maximum' ? 'exclusiveMaximum' : 'exclusiveMinimum';
  const limits = conjunctsOf(schema).flatMap((one) =>
    one[side] === undefined ? [] : [{ at: Number(one[side]), exclusive: one[exclusiveKeyword] === true }],
  );
  const inclusive = schema.type === 'integer' ? limits.map((limit) => asInclusive(limit, side)) : limits;
  return inclusive.sort((a, b) => order(b, a, side)).at(0);
}

function asInclusive({ at, exclusive }: NumberLimit, side: Side): NumberLimit {
  if (!exclusive || !Number.isInteger(at)) return { at, exclusive };
  return { at: side === 'maximum' ? at - 1 : at + 1, exclusive: false };
}

/** Above 0: `is` is the stricter of the two. */
function order(was: NumberLimit | undefined, is: NumberLimit | undefined, side: Side): number {
  if (was === undefined || is === undefined) return Number(is !== undefined) - Number(was !== undefined);
  const stricter = side === 'maximum' ? was.at - is.at : is.at - was.at;
  return stricter !== 0 ? stricter : Number(is.exclusive) - Number(was.exclusive);
}

function shown(limit: NumberLimit | undefined): string {
  return limit === undefined ? 'none' : `${limit.exclusive ? 'exclusive ' : ''}${limit.at}`;
}
