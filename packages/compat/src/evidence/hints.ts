// The strings, numbers and names in a rule. Values made from them are more likely to distinguish two rules.

export interface Hints {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly names: ReadonlySet<string>;
}

export const NO_HINTS: Hints = { texts: [], numbers: [], names: new Set() };

export function hintsOf(rules: readonly string[]): Hints {
  const source = rules.join('\n').slice(0, 20_000);
  const texts = [...source.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map(
    ([, single, double]) => (single ?? double)!,
  );
  const bare = source.replace(/'[^'\\]*'|"[^"\\]*"/g, ' ');
  const numbers = [...bare.matchAll(/(?<![\w.])-?\d+(\.\d+)?/g)].map(([text]) => Number(text));
  return {
    texts: [...new Set(texts)],
    numbers: [...new Set(numbers.flatMap((number) => [number - 1, number, number + 1]))],
    names: new Set(bare.match(/[A-Za-z_]\w*/g) ?? []),
  };
}
