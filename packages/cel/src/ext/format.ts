// string.format(list): parses the format and fills it in; the clauses write the values.
import { work } from '../meter.ts';
import { CelError, failure } from '../values/error.ts';
import type { CelList } from '../values/list.ts';
import type { Value } from '../values.ts';

export interface Clauses {
  text(value: Value): string | CelError;
  decimal(value: Value): string | CelError;
  fixed(value: Value, precision: number): string | CelError;
  scientific(value: Value, precision: number): string | CelError;
  binary(value: Value): string | CelError;
  hex(value: Value, upper: boolean): string | CelError;
  octal(value: Value): string | CelError;
}

const defaultPrecision = 6;
const clause = /(?:\.(\d*))?(.)?/suy;

export function formatWith(text: string, args: CelList, clauses: Clauses, mostPrecision: number): Value {
  let result = '';
  let next = 0;
  for (let at = 0; at < text.length; ) {
    const percent = text.indexOf('%', at);
    if (percent < 0) return result + text.slice(at);
    result += text.slice(at, percent);
    if (text[percent + 1] === '%') {
      result += '%';
      at = percent + 2;
      continue;
    }
    if (next >= args.size) return failure(`index ${next} out of range`);
    const written = writeClause(text, percent + 1, args.at(next++), clauses, mostPrecision);
    if (written instanceof CelError) return written;
    work(8 + (written.text.length >> 4));
    result += written.text;
    at = written.end;
  }
  return result;
}

function writeClause(
  text: string,
  at: number,
  value: Value,
  clauses: Clauses,
  mostPrecision: number,
): { readonly text: string; readonly end: number } | CelError {
  if (at >= text.length) return failure('unexpected end of string');
  clause.lastIndex = at;
  const [all, digits, letter] = clause.exec(text)!;
  if (letter === undefined)
    return clauseError('error while parsing precision: could not find end of precision specifier');
  const precision = digits === undefined ? defaultPrecision : Number(digits || Number.NaN);
  if (Number.isNaN(precision))
    return clauseError('error while parsing precision: error while converting precision to integer');
  if (precision > mostPrecision) {
    return clauseError(
      `error while parsing precision: precision ${precision} exceeds maximum allowed precision ${mostPrecision}`,
    );
  }
  const written = write(letter, value, precision, clauses);
  if (written === undefined) return clauseError(`unrecognized formatting clause "${letter}"`);
  if (written instanceof CelError) return failure(`error during formatting: ${written.message}`);
  return { text: written, end: at + all.length };
}

const clauseError = (reason: string): CelError => failure(`could not parse formatting clause: ${reason}`);

function write(
  letter: string,
  value: Value,
  precision: number,
  clauses: Clauses,
): string | CelError | undefined {
  switch (letter) {
    case 's':
      return clauses.text(value);
    case 'd':
      return clauses.decimal(value);
    case 'f':
      return clauses.fixed(value, precision);
    case 'e':
      return clauses.scientific(value, precision);
    case 'b':
      return clauses.binary(value);
    case 'x':
    case 'X':
      return clauses.hex(value, letter === 'X');
    case 'o':
      return clauses.octal(value);
    default:
      return undefined;
  }
}
