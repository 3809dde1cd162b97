// Formats of dates, times and durations. Durations are read generously: "3 days" and "PT1H" pass, since a
// number and a unit occur in them.

export function isDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** What follows a second "t" is ignored, as upstream does. */
export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date!)) return false;
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  return parts !== null && parts[1]! <= '23' && parts[2]! <= '59' && parts[3]! <= '59';
}

export function isDuration(text: string): boolean {
  return isGoDuration(text) || isWordyDuration(text);
}

const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};

function isGoDuration(text: string): boolean {
  const body = text.replace(/^[-+]/, '');
  if (body === '0') return true;
  const part = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/y;
  let total = 0;
  while (part.lastIndex < body.length) {
    const found = part.exec(body);
    if (found === null) return false;
    total += Number(found[1]) * NANOSECONDS[found[2]!]!;
  }
  return body !== '' && total <= 2 ** 63;
}

const WORDS = /^(?:ns|us|µs|ms|[smhdw]|hr|wk|nano.*|micro.*|milli.*|sec.*|min.*|hour.*|day.*|week.*)$/;

function isWordyDuration(text: string): boolean {
  let found = false;
  // The look-behind keeps this linear: a run of digits is tried from its first digit only.
  for (const [, number, unit] of text.matchAll(/(?<![0-9])0*([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (number!.length > 19 || BigInt(number!) > 9223372036854775807n) return false;
    found ||= WORDS.test(unit!.toLowerCase());
  }
  return found;
}
