// Resolves plain YAML scalars: YAML 1.1 as go-yaml v2 reads it (yes, on, 0x10, 012, 1_000), but without
// dates.

export type YamlScalar = null | boolean | number | bigint | string;

const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(
    (word) => [word, Number.POSITIVE_INFINITY] as const,
  ),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** More decimal digits are no int64. BigInt takes more than linear time for long literals. */
const MAX_INT64_DIGITS = 19;

export function resolvePlainScalar(text: string): YamlScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  return /^[-+.\d]/.test(text) ? (numberOf(text.replaceAll('_', '')) ?? text) : text;
}

function numberOf(text: string): number | bigint | undefined {
  const integer = integerOf(text);
  if (integer !== undefined) return integer;
  return /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

/** Go's ParseInt with base 0: a leading 0 means octal. Beyond int64 the JSON decoder returns a float. */
function integerOf(text: string): number | bigint | undefined {
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]+|0|[1-9][0-9]*)$/.exec(text);
  if (match === null) return undefined;
  const literal = match[2]!;
  if (literal.length > MAX_INT64_DIGITS && /^[1-9]/.test(literal)) return Number(text);
  const magnitude = BigInt(/^0[0-7]/.test(literal) ? `0o${literal.slice(1)}` : literal);
  const exact = match[1] === '-' ? -magnitude : magnitude;
  const near = Number(exact);
  return Number.isSafeInteger(near) || exact < INT64_MIN || exact > INT64_MAX ? near : exact;
}

/** A YAML key as a JSON key; undefined if it cannot be one. */
export function keyOfScalar(scalar: YamlScalar): string | undefined {
  if (scalar === null) return undefined;
  if (scalar === Number.POSITIVE_INFINITY) return '.inf';
  if (scalar === Number.NEGATIVE_INFINITY) return '-.inf';
  return Number.isNaN(scalar) ? '.nan' : String(scalar);
}
