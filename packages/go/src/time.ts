// Times in RFC 3339, as Go's time.Parse parses them, with its errors, and metav1.Time and MicroTime: UTC with
// whole seconds, or with microseconds.
import { quoteTime } from './quote-time.ts';

/** A time as time.Parse returns it. */
export interface GoTime {
  /** Since the epoch, in UTC. */
  readonly seconds: number;
  readonly nanoseconds: number;
  /** The offset in the text, in seconds east of UTC. */
  readonly offset: number;
}

export type ParsedTime =
  | { readonly milliseconds: number; readonly microseconds: number }
  | { readonly fault: string };

const TIME_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_TIME_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';

/** `2024-01-31T12:00:00Z` of a moment in milliseconds; fractions of a second are truncated. */
export function printTime(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, -5)}Z`;
}

/**
 * `2024-01-31T12:00:00.123456Z` of a moment in milliseconds, with the microseconds beyond them where known.
 */
export function printMicroTime(milliseconds: number, microseconds = 0): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}

const PRINTED =
  /^[1-9]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * True only for text that parsing and printing would leave unchanged, as for most times: a server has printed
 * them before.
 */
export const isPrintedTime = (text: string): boolean => PRINTED.test(text);

/** The text of a metav1.Time, in any offset and with any fraction. */
export function parseTime(text: string): ParsedTime {
  return inMilliseconds(parse(text, TIME_LAYOUT));
}

/** The text of a metav1.MicroTime, which has six digits after the seconds. */
export function parseMicroTime(text: string): ParsedTime {
  return inMilliseconds(parse(text, MICRO_TIME_LAYOUT));
}

/** Go's time.Parse with the layout RFC3339. */
export function parseRfc3339(text: string): GoTime | { readonly fault: string } {
  return parse(text, TIME_LAYOUT);
}

function inMilliseconds(time: GoTime | { readonly fault: string }): ParsedTime {
  if ('fault' in time) return time;
  const microseconds = Math.floor(time.nanoseconds / 1000);
  return {
    milliseconds: time.seconds * 1000 + Math.floor(microseconds / 1000),
    microseconds: microseconds % 1000,
  };
}

function parse(text: string, layout: string): GoTime | { readonly fault: string } {
  try {
    return new TimeReader(text, layout).read();
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

class Fault extends Error {}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): GoTime {
    const year = this.#number('2006', /^\d{4}/);
    this.#literal('-');
    const month = this.#number('01', /^\d\d/, 1, 12, 'month');
    this.#literal('-');
    const day = this.#number('02', /^\d\d/);
    this.#literal('T');
    // Go accepts one digit here, unlike the RFC.
    const hour = this.#number('15', /^\d\d?/, 0, 23, 'hour');
    this.#literal(':');
    const minute = this.#number('04', /^\d\d/, 0, 59, 'minute');
    this.#literal(':');
    const second = this.#number('05', /^\d\d/, 0, 59, 'second');
    const nanoseconds = this.#fraction();
    const offset = this.#zone();
    if (this.#rest !== '') throw this.#fault(`: extra text: ${quoteTime(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) throw this.#fault(': day out of range');
    const local = new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
    return { seconds: local + (hour * 60 + minute) * 60 + second - offset, nanoseconds, offset };
  }

  #number(element: string, digits: RegExp, min = 0, max = Number.POSITIVE_INFINITY, what = ''): number {
    const found = digits.exec(this.#rest)?.[0];
    if (found === undefined) throw this.#cannotParse(element);
    this.#rest = this.#rest.slice(found.length);
    const value = Number(found);
    if (value < min || value > max) throw this.#fault(`: ${what} out of range`);
    return value;
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) throw this.#cannotParse(character);
    this.#rest = this.#rest.slice(1);
  }

  /** A layout without a fraction accepts any; one with six digits requires six. */
  #fraction(): number {
    const wanted = this.#layout === MICRO_TIME_LAYOUT;
    const found = (wanted ? /^[.,]\d{6}/ : /^[.,]\d+/).exec(this.#rest)?.[0];
    if (found === undefined) {
      if (wanted) throw this.#cannotParse('.000000');
      return 0;
    }
    this.#rest = this.#rest.slice(found.length);
    return Number(found.slice(1, 10).padEnd(9, '0'));
  }

  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const found = /^(.)(\d\d):(\d\d)/s.exec(this.#rest);
    if (found === null) throw this.#cannotParse('Z07:00');
    const [written, sign, hours, minutes] = found as unknown as [string, string, string, string];
    const before = this.#rest;
    this.#rest = this.#rest.slice(written.length);
    if (Number(minutes) > 60) throw this.#fault(': time zone offset minute out of range');
    if (Number(hours) > 24) throw this.#fault(': time zone offset hour out of range');
    if (sign !== '+' && sign !== '-') {
      this.#rest = before;
      throw this.#cannotParse('Z07:00');
    }
    const seconds = (Number(hours) * 60 + Number(minutes)) * 60;
    return sign === '-' ? 0 - seconds : seconds;
  }

  #cannotParse(element: string): Fault {
    const [text, layout, rest] = [this.#text, this.#layout, this.#rest].map(quoteTime);
    return new Fault(`parsing time ${text} as ${layout}: cannot parse ${rest} as ${quoteTime(element)}`);
  }

  #fault(detail: string): Fault {
    return new Fault(`parsing time ${quoteTime(this.#text)}${detail}`);
  }
}

/** The number of days in a month of the Gregorian calendar; the first month is 1. */
export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
