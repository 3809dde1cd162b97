// Field selectors: `metadata.name=a,spec.color!=blue`. Which fields may be asked for is the resource's to
// say.
import { SelectorError } from './label.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  /** All must hold. */
  readonly requirements: readonly FieldRequirement[];
  readonly empty: boolean;
  /**
   * `lookUp` gives the value of a field of the object in question; a field that is not there counts as "".
   */
  matches(lookUp: (field: string) => string | undefined): boolean;
  /** The one value that the field must have, if the selector says so. */
  exactValue(field: string): string | undefined;
  toString(): string;
}

/** Throws SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  return fieldSelectorOf(terms.sort().map((term) => parseTerm(term, text)));
}

export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (lookUp) =>
      requirements.every(
        ({ field, operator, value }) => ((lookUp(field) ?? '') === value) === (operator === '='),
      ),
    exactValue: (name) =>
      requirements.find(({ field, operator }) => field === name && operator === '=')?.value,
    toString: () =>
      requirements
        .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
        .join(','),
  };
}

export const everyField: FieldSelector = fieldSelectorOf([]);

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** At commas without a backslash before them. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const match = /!=|==|=/.exec(term);
  if (match === null) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const value = unescapeFieldValue(term.slice(match.index + match[0].length));
  return { field: term.slice(0, match.index), operator: match[0] === '!=' ? '!=' : '=', value };
}

function unescapeFieldValue(text: string): string {
  let value = '';
  let escaped = false;
  for (const character of text) {
    const special = character === '\\' || character === ',' || character === '=';
    if (escaped) {
      if (!special) throw invalidEscape(`\\${character}`);
      value += character;
      escaped = false;
    } else if (character === '\\') escaped = true;
    // Upstream prints the number of the character, not the character.
    else if (special)
      throw new SelectorError(
        `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`,
      );
    else value += character;
  }
  if (escaped) throw invalidEscape('\\');
  return value;
}

const invalidEscape = (sequence: string) =>
  new SelectorError(`invalid field selector: invalid escape sequence: ${sequence}`);
