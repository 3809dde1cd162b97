// The steps that a module has, and the shortest route from one version to another.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { CommandFailure } from '../../exit-with-message.ts';

export interface Step {
  readonly from: string;
  readonly to: string;
  readonly run: (
    object: JsonValue,
    context: { from: string; to: string; signal: AbortSignal },
  ) => JsonObject | Promise<JsonObject>;
}

export function stepsOf(functions: Record<string, unknown>, file: string): Step[] {
  return Object.entries(functions).map(([ends, run]) => {
    const match = /^\s*([a-z0-9]+)\s*(?:→|->)\s*([a-z0-9]+)\s*$/.exec(ends);
    if (match === null)
      throw new CommandFailure(`${file}: ${JSON.stringify(ends)} is not of the form 'v1→v2'`, 2);
    if (typeof run !== 'function')
      throw new CommandFailure(`${file}: what converts ${ends} is not a function`, 2);
    return { from: match[1]!, to: match[2]!, run: run as Step['run'] };
  });
}

export function findWay(steps: readonly Step[], from: string, to: string): readonly Step[] | undefined {
  const ways = new Map<string, readonly Step[]>([[from, []]]);
  for (const [at, way] of ways)
    for (const step of steps) if (step.from === at && !ways.has(step.to)) ways.set(step.to, [...way, step]);
  return ways.get(to);
}
