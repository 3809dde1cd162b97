// metav1.Time and MicroTime: RFC 3339 in UTC with whole seconds, or with microseconds. Reading accepts
// offsets and, for Time, fractions, as Go's time.Parse does, and explains itself as time.Parse does.
import { quoteGo } from '@instar/go';

export type ParsedTime =
  | { readonly milliseconds: number; readonly microseconds: number }
  | { readonly fault: string };

const TIME_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_TIME_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';

/** `2024-01-31T12:00:00Z` of a moment in milliseconds; parts of a second are cut off. */
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
 * True only of what reading and printing would leave as it is, which most times are: a server has printed
 * them before.
 */
export const isPrintedTime = (text: string): boolean => PRINTED.test(text);

export function parseTime(text: string): ParsedTime {
  return new TimeReader(text, TIME_LAYOUT).read();
}

export function parseMicroTime(text: string): ParsedTime {
  return new TimeReader(text, MICRO_TIME_LAYOUT).read();
}

class Fault extends Error {}

class TimeReader {
  private readonly text: string;
  private readonly layout: string;
  private rest: string;

  constructor(text: string, layout: string) {
    this.text = text;
    this.layout = layout;
    this.rest = text;
  }

  read(): ParsedTime {
    try {
      return this.moment();
    } catch (error) {
      if (error instanceof Fault) return { fault: error.message };
      throw error;
    }
  }

  private moment(): ParsedTime {
    const year = this.digits('2006');
    this.literal('-');
    const month = this.digits('01', 1, 12, 'month');
    this.literal('-');
    const day = this.digits('02');
    this.literal('T');
    const hour = this.digits('15', 0, 23, 'hour');
    this.literal(':');
    const minute = this.digits('04', 0, 59, 'minute');
    this.literal(':');
    const second = this.digits('05', 0, 59, 'second');
    const microseconds = this.fraction();
    const offset = this.zone();
    if (this.rest !== '') throw this.fault(`: extra text: ${quoteGo(this.rest)}`);
    if (day < 1 || day > daysIn(year, month)) throw this.fault(': day out of range');
    const wholeSeconds = utc(year, month, day, hour, minute, second) - offset * 60_000;
    return {
      milliseconds: wholeSeconds + Math.floor(microseconds / 1000),
      microseconds: microseconds % 1000,
    };
  }

  private digits(element: string, min = 0, max = Number.POSITIVE_INFINITY, what = ''): number {
    const text = this.rest.slice(0, element.length);
    if (text.length < element.length || !/^\d+$/.test(text)) throw this.cannotParse(element);
    const value = Number(text);
    this.rest = this.rest.slice(element.length);
    if (value < min || value > max) throw this.fault(`: ${what} out of range`);
    return value;
  }

  private literal(character: string): void {
    if (!this.rest.startsWith(character)) throw this.cannotParse(character);
    this.rest = this.rest.slice(1);
  }

  /** Microseconds. A layout without a fraction takes any; one with six places wants six. */
  private fraction(): number {
    const wanted = this.layout === MICRO_TIME_LAYOUT;
    const match = (wanted ? /^\.\d{6}(?!\d)/ : /^[.,]\d+/).exec(this.rest);
    if (match === null) {
      if (wanted) throw this.cannotParse('.000000');
      return 0;
    }
    this.rest = this.rest.slice(match[0].length);
    return Number(match[0].slice(1, 7).padEnd(6, '0'));
  }

  /** Minutes east of UTC. */
  private zone(): number {
    if (this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1);
      return 0;
    }
    const match = /^([+-])(\d\d):(\d\d)/.exec(this.rest);
    if (match === null) throw this.cannotParse('Z07:00');
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    if (hours > 24) throw this.fault(': time zone offset hour out of range');
    if (minutes > 60) throw this.fault(': time zone offset minute out of range');
    this.rest = this.rest.slice(match[0].length);
    return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
  }

  private cannotParse(element: string): Fault {
    return new Fault(
      `parsing time ${quoteGo(this.text)} as ${quoteGo(this.layout)}: cannot parse ${quoteGo(this.rest)} as ${quoteGo(element)}`,
    );
  }

  private fault(detail: string): Fault {
    return new Fault(`parsing time ${quoteGo(this.text)}${detail}`);
  }
}

function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
}

function daysIn(year: number, month: number): number {
  return new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}
