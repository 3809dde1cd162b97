// The texts of flags as values. Each throws commander's error, which names the flag.
import { ipFamilyOf, parseGoDuration } from '@instar/go';
import { InvalidArgumentError } from 'commander';

export function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a port between 0 and 65535.');
  return Number(text);
}

export function ipAddress(text: string): string {
  if (ipFamilyOf(text) === undefined) throw new InvalidArgumentError('It must be an IP address.');
  return text;
}

/** Go's notation: 90s, 1m30s, 1h. In milliseconds. */
export function duration(text: string): number {
  const nanos = parseGoDuration(text);
  if (typeof nanos === 'string' || nanos < 0n)
    throw new InvalidArgumentError('It must be a duration such as 90s, 1m30s or 1h.');
  return Number(nanos) / 1e6;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The same the other way round, in the largest unit that needs no fraction. */
export function durationText(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const [unit, length] = Object.entries(UNITS)
    .reverse()
    .find(([, one]) => milliseconds % one === 0)!;
  return `${milliseconds / length}${unit}`;
}

/** Go's spellings of a boolean. */
export function boolean(text: string): boolean {
  if (/^(?:1|t|true)$/i.test(text)) return true;
  if (/^(?:0|f|false)$/i.test(text)) return false;
  throw new InvalidArgumentError('It must be true or false.');
}

export const commas = (text: string): string[] => text.split(',').filter((part) => part !== '');

/** For flags that may be given several times, as kube-apiserver reads them: each time adds to the list. */
export const moreCommas = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...commas(text),
];

/** namespace/name[:port]=host[:port],… */
export function serviceResolver(
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const services: Record<string, string> = { ...before };
  for (const part of commas(text)) {
    const match = /^([a-z0-9.-]+\/[a-z0-9.-]+(?::\d{1,5})?)=(.+)$/.exec(part.trim());
    if (match === null)
      throw new InvalidArgumentError(`${JSON.stringify(part)} is not of the form namespace/name=host:port.`);
    services[match[1]!] = match[2]!;
  }
  return services;
}

/** group/version=true,group/version/resource=false,…; without a value, true. */
export function runtimeConfig(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const config = new Map(Object.entries(before));
  for (const part of commas(text)) {
    const [key = '', value = ''] = part.split('=', 2);
    config.set(key.trim(), value.trim());
  }
  return Object.fromEntries(config);
}

export function featureGates(
  text: string,
  before: Readonly<Record<string, boolean>>,
): Record<string, boolean> {
  const gates: Record<string, boolean> = { ...before };
  for (const part of commas(text)) {
    const match = /^([A-Za-z0-9]+)=(true|false)$/i.exec(part.trim());
    if (match === null)
      throw new InvalidArgumentError(`${JSON.stringify(part)} is not of the form Name=true or Name=false.`);
    gates[match[1]!] = match[2]!.toLowerCase() === 'true';
  }
  return gates;
}
