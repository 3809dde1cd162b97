// How Go prints a limit that a float64 is compared with: a float64 itself, so that 10000000 reads 1e+07.
import { printGoNumber } from '@instar/machinery';

export function printLimit(limit: number): string {
  if (!Number.isInteger(limit) || Math.abs(limit) < 1e6) return printGoNumber(limit);
  const [digits, exponent] = limit.toExponential().split('e+') as [string, string];
  return `${digits}e+${exponent.padStart(2, '0')}`;
}
