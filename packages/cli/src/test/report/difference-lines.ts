// Prints differences: the path, the expected and the actual value.
import type { Difference } from '@instar/lens/proof';
import { encodeJson, type JsonValue, printYaml } from '@instar/machinery';
import type { Colors } from './colors.ts';

const SHORT = 100;

export function differenceLines(
  differences: readonly Difference[],
  indent: string,
  colors: Colors,
): string[] {
  return differences.flatMap((difference) => [
    `${indent}${colors.bold(difference.path === '' ? 'the object' : difference.path)}`,
    ...valueLines('-', 'expected', difference.expected, indent).map(colors.red),
    ...valueLines('+', 'got', difference.got, indent).map(colors.green),
  ]);
}

function valueLines(sign: string, word: string, value: JsonValue | undefined, indent: string): string[] {
  const head = `${indent}${sign} ${word.padEnd(8)}`;
  if (value === undefined) return [`${head} nothing`];
  const short = encodeJson(value);
  if (short.length <= SHORT) return [`${head} ${short}`];
  return [
    head,
    ...printYaml(value)
      .trimEnd()
      .split('\n')
      .map((line) => `${indent}${sign}   ${line}`),
  ];
}
