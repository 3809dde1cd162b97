// Field selectors: `metadata.name=a,spec.color!=blue`. The resource decides which fields are supported.
import { SelectorError } from './label.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A parsed field selector. */
export interface FieldSelector {
  /** All must hold. */
  readonly requirements: readonly FieldRequirement[];
  readonly empty: boolean;
  /** `lookUp` returns the value of a field of the object; a missing field is treated as "". */
  matches(lookUp: (field: string) => string | undefined): boolean;
  /** The value that the field must equal, if the selector requires one. */
  exactValue(field: string): string | undefined;
  toString(): string;
}

/** Throws SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  const requirements = terms.sort().map((term) => parseTerm(term, text));
  // As upstream: `=` requires nothing.
  return fieldSelectorOf(requirements.filter(({ field, value }) => field !== '' || value !== ''));
}

export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  const conditions = conditionsOf(requirements);
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (lookUp) => conditions.every((condition) => holds(condition, lookUp(condition.field) ?? '')),
    exactValue: (name) =>
      requirements.find(({ field, operator }) => field === name && operator === '=')?.value,
    toString: () =>
      requirements
        .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
        .join(','),
  };
}

/** All that is required of one field, so that it is looked up once, however many requirements there are. */
interface FieldCondition {
  readonly field: string;
  /** With more than one, nothing matches. */
  readonly equal: Set<string>;
  readonly unequal: Set<string>;
}

function conditionsOf(requirements: readonly FieldRequirement[]): readonly FieldCondition[] {
  const conditions = new Map<string, FieldCondition>();
  for (const { field, operator, value } of requirements) {
    let condition = conditions.get(field);
    if (condition === undefined) {
      condition = { field, equal: new Set(), unequal: new Set() };
      conditions.set(field, condition);
    }
    (operator === '=' ? condition.equal : condition.unequal).add(value);
  }
  return [...conditions.values()];
}

const holds = ({ equal, unequal }: FieldCondition, value: string): boolean =>
  (equal.size === 0 || (equal.size === 1 && equal.has(value))) && !unequal.has(value);

/** A value as a field selector spells it. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** Splits at unescaped commas. */
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
