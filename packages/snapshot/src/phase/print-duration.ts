// Durations as people say them: the largest unit that fits, rounded down.

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];

export function printDuration(milliseconds: number): string {
  // Up to two days, hours say more.
  const units = milliseconds <= 172_800_000 ? UNITS.slice(1) : UNITS;
  const [size, name] = units.find(([size]) => milliseconds >= size) ?? [1000, 'second'];
  const count = Math.max(0, Math.floor(milliseconds / size));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
