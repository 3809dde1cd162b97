// What is invalid in the schedule of a CronJob, in the words of the parser that upstream uses (robfig/cron).
import { parseGoDuration, quoteGo } from '@instar/go';
import { isKnownTimeZone } from './time-zone.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Names that may be used instead of numbers; the first has the number `first`. */
  readonly names?: readonly string[];
  readonly first?: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS, first: 1 },
  { min: 0, max: 6, names: DAYS, first: 0 },
];

const DESCRIPTORS: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

class ScheduleFault extends Error {}

/** Undefined if the schedule is valid. */
export function scheduleFault(schedule: string): string | undefined {
  try {
    parseSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleFault) return error.message;
    throw error;
  }
}

function parseSchedule(schedule: string): void {
  const spec = /^(CRON_)?TZ=/.test(schedule) ? withoutZone(schedule) : schedule;
  if (spec.startsWith('@')) {
    parseDescriptor(spec);
    return;
  }
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) {
    const found = `found ${fields.length}: [${fields.join(' ')}]`;
    throw new ScheduleFault(`expected exactly ${FIELDS.length} fields, ${found}`);
  }
  fields.forEach((field, index) => {
    for (const range of field.split(',')) if (range !== '') parseRange(range, FIELDS[index]!);
  });
}

function withoutZone(schedule: string): string {
  const [space, equals] = [schedule.indexOf(' '), schedule.indexOf('=')];
  // Upstream slices without looking, and reports what Go's runtime says.
  if (space === -1)
    throw new ScheduleFault('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = schedule.slice(equals + 1, space);
  if (zone !== '' && zone !== 'Local' && !isKnownTimeZone(zone))
    throw new ScheduleFault(`provided bad location ${zone}: unknown time zone ${zone}`);
  return schedule.slice(space).trim();
}

function parseDescriptor(descriptor: string): void {
  if (DESCRIPTORS.has(descriptor)) return;
  const every = '@every ';
  if (!descriptor.startsWith(every)) throw new ScheduleFault(`unrecognized descriptor: ${descriptor}`);
  const duration = parseGoDuration(descriptor.slice(every.length));
  if (typeof duration === 'string')
    throw new ScheduleFault(`failed to parse duration ${descriptor}: ${duration}`);
}

function parseRange(range: string, bounds: Bounds): void {
  const [span, ...steps] = range.split('/') as [string, ...string[]];
  let [start, end] = parseSpan(span, range, bounds);
  if (steps.length > 1) throw new ScheduleFault(`too many slashes: ${range}`);
  const step = steps.length === 0 ? 1 : parseNumber(steps[0]!);
  if (steps.length === 1 && !span.includes('-')) end = bounds.max;
  const { min, max } = bounds;
  if (start < min) throw new ScheduleFault(`beginning of range (${start}) below minimum (${min}): ${range}`);
  if (end > max) throw new ScheduleFault(`end of range (${end}) above maximum (${max}): ${range}`);
  if (start > end)
    throw new ScheduleFault(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (step === 0) throw new ScheduleFault(`step of range should be a positive number: ${range}`);
}

function parseSpan(span: string, range: string, bounds: Bounds): [number, number] {
  const [low, ...high] = span.split('-') as [string, ...string[]];
  if (low === '*' || low === '?') return [bounds.min, bounds.max];
  const start = parseNumberOrName(low, bounds);
  if (high.length > 1) throw new ScheduleFault(`too many hyphens: ${range}`);
  return [start, high.length === 0 ? start : parseNumberOrName(high[0]!, bounds)];
}

function parseNumberOrName(text: string, { names = [], first = 0 }: Bounds): number {
  const index = names.indexOf(text.toLowerCase());
  return index === -1 ? parseNumber(text) : index + first;
}

const MAX_DIGITS = 19;

function parseNumber(text: string): number {
  const refuse = (why: string) =>
    new ScheduleFault(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: ${why}`);
  const digits = /^([+-]?)0*([0-9]+)$/.exec(text);
  if (digits === null) throw refuse('invalid syntax');
  const [, sign, amount] = digits as unknown as [string, string, string];
  const number = amount.length > MAX_DIGITS ? undefined : BigInt(`${sign === '-' ? '-' : ''}${amount}`);
  if (number === undefined || BigInt.asIntN(64, number) !== number) throw refuse('value out of range');
  if (number < 0n) throw new ScheduleFault(`negative number (${number}) not allowed: ${text}`);
  return Number(number);
}
