// Turns an almost valid object into a valid one: fixes what the real validator reports, and validates again.
// When the same errors return, larger and larger parts are generated again or left out.
import { encodeJson, type FieldError, isJsonObject, type JsonObject } from '@instar/machinery';
import type { CompiledSchema, JSONSchemaProps, ValidationRule } from '@instar/schema';
import { parsedRule } from './rules/parsed-rule.ts';
import { Satisfier } from './rules/satisfy.ts';
import { searchText } from './rules/text-search.ts';
import { placeOf, removeAt, schemaAt, setAt, type ValuePath, valueAt } from './value-path.ts';
import type { ValueMaker } from './values.ts';

export interface RepairOptions {
  readonly rounds: number;
  /** Applies defaults as the server would; called before each validation. */
  readonly settle: (object: JsonObject) => void;
  /** Called for every part that had to be left out since its rules could not be met. */
  readonly leftOut: (what: string) => void;
}

const MAX_FIXES_PER_ROUND = 6;
const ROUNDS_BEFORE_REMOVAL = 14;

/** The remaining errors: none, if it succeeded. */
export function repair(
  object: JsonObject,
  schema: CompiledSchema,
  maker: ValueMaker,
  options: RepairOptions,
): FieldError[] {
  let errors: FieldError[] = [];
  for (let round = 0; round < options.rounds; round++) {
    options.settle(object);
    errors = faultsOf(object, schema);
    if (errors.length === 0) return errors;
    const fixer = new Fixer(object, schema.source, maker, round);
    for (const error of maker.dice.shuffled(errors).slice(0, MAX_FIXES_PER_ROUND))
      fixer.fix(error, options.leftOut);
  }
  options.settle(object);
  return faultsOf(object, schema);
}

export function faultsOf(object: JsonObject, schema: CompiledSchema): FieldError[] {
  const fault = schema.embeddedFault(object);
  if (fault !== undefined) return [fault];
  const errors = schema.validate(object);
  return errors.length > 1
    ? errors.filter(({ detail }) => !detail.startsWith('some validation rules were not checked'))
    : errors;
}

class Fixer {
  readonly #object: JsonObject;
  readonly #schema: JSONSchemaProps;
  readonly #maker: ValueMaker;
  readonly #round: number;

  constructor(object: JsonObject, schema: JSONSchemaProps, maker: ValueMaker, round: number) {
    this.#object = object;
    this.#schema = schema;
    this.#maker = maker;
    this.#round = round;
  }

  fix(error: FieldError, gaveUp: (what: string) => void): void {
    const place = placeOf(this.#object, error.field);
    if (this.#round > 0 && this.#round % ROUNDS_BEFORE_REMOVAL === 0 && this.#leaveOut(place)) {
      gaveUp(`${error.field}: ${error.detail}`);
      return;
    }
    const broken = this.#rulesBehind(error, place);
    if (broken.length > 0) this.#meet(this.#maker.dice.pick(broken), error.detail);
    else this.#remake(place);
  }

  #rulesBehind({ detail }: FieldError, place: ValuePath): { rule: ValidationRule; at: ValuePath }[] {
    const found: { rule: ValidationRule; at: ValuePath }[] = [];
    for (let depth = place.length; depth >= 0; depth--) {
      const at = place.slice(0, depth);
      for (const rule of schemaAt(this.#schema, at)?.['x-kubernetes-validations'] ?? [])
        if (isToldBy(rule, detail)) found.push({ rule, at });
    }
    return found;
  }

  #meet({ rule, at }: { rule: ValidationRule; at: ValuePath }, detail: string): void {
    const parsed = parsedRule(rule.rule);
    if (parsed === undefined) return;
    const schema = schemaAt(this.#schema, at);
    if (schema?.type === 'string' && this.#maker.dice.chance(80)) {
      setAt(this.#object, at, searchText(schema, this.#maker.dice));
      return;
    }
    const satisfier = new Satisfier(parsed, this.#object, this.#schema, this.#maker);
    const missing = /^no such key: (\S+)/.exec(detail)?.[1];
    if (missing === undefined || !satisfier.provide(missing, at)) satisfier.satisfy(at);
  }

  #remake(place: ValuePath): void {
    const upwards = Math.min(Math.floor(this.#round / 5), Math.max(0, place.length - 1));
    const at = place.slice(0, place.length - upwards);
    const schema = schemaAt(this.#schema, at);
    if (schema === undefined || at.length === 0) {
      this.#drop(place);
      return;
    }
    const isPresent = valueAt(this.#object, at) !== undefined;
    if (isPresent && this.#maker.dice.chance(30) && this.#isOptional(at)) removeAt(this.#object, at);
    else setAt(this.#object, at, this.#maker.value(schema));
  }

  #drop(place: ValuePath): void {
    if (place.length > 0 && this.#isOptional(place)) removeAt(this.#object, place);
  }

  #isOptional(place: ValuePath): boolean {
    const name = place.at(-1);
    if (typeof name === 'number') return false;
    return !(schemaAt(this.#schema, place.slice(0, -1))?.required ?? []).includes(name!);
  }

  /** Removes the innermost optional part around the path; an outer one each time. */
  #leaveOut(place: ValuePath): boolean {
    let toSkip = Math.floor(this.#round / ROUNDS_BEFORE_REMOVAL) - 1;
    for (let depth = place.length; depth > 0; depth--) {
      const at = place.slice(0, depth);
      if (
        at[0] === 'metadata' ||
        valueAt(this.#object, at) === undefined ||
        !this.#isOptional(at) ||
        toSkip-- > 0
      )
        continue;
      removeAt(this.#object, at);
      return true;
    }
    return false;
  }
}

/** Errors carry the message of their rule, or the rule itself where it has none. */
function isToldBy({ rule, message = '', messageExpression = '' }: ValidationRule, detail: string): boolean {
  const text = (message === '' ? rule : message).trim();
  return messageExpression !== '' || detail === text || detail.endsWith(text) || detail.includes(text);
}

/** For errors of generation: short. */
export const describeErrors = (errors: readonly FieldError[]): string =>
  errors
    .map(
      ({ field, detail, value }) =>
        `${field}: ${detail}${isJsonObject(value) ? '' : ` (${encodeJson(value ?? null)})`}`,
    )
    .join('; ');
