// Changes an object so that a rule holds: walks down the rule with the goal that it is true, and turns each
// part into an edit. A guess, not a solver: the validator decides afterwards, and the next attempt guesses
// differently.
import { type Call, type Comprehension, type Expr, operators, unparse } from '@instar/cel';
import { encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { emit } from '../pattern/emit.ts';
import { patternTreeOf } from '../pattern/parse.ts';
import { childSchema, schemaAt, type ValuePath } from '../value-path.ts';
import type { ValueMaker } from '../values.ts';
import { type ComparisonOperator, comparisonOf, flipped, numberThat, opposite } from './compare.ts';
import { Draft } from './draft.ts';
import { guessedText } from './guesses.ts';
import { currentValue, isPlace, type Operand, operandOf, type RuleScope, type ValueRef } from './operand.ts';
import type { ParsedRule } from './parsed-rule.ts';
import { placesIn } from './places-in.ts';
import { resized } from './resize.ts';

export class Satisfier {
  readonly #rule: ParsedRule;
  readonly #draft: Draft;
  readonly #schema: JSONSchemaProps;
  readonly #maker: ValueMaker;

  constructor(rule: ParsedRule, root: JsonObject, schema: JSONSchemaProps, maker: ValueMaker) {
    this.#rule = rule;
    this.#draft = new Draft(root, schema, maker);
    this.#schema = schema;
    this.#maker = maker;
  }

  satisfy(self: ValuePath): void {
    const scope: RuleScope = new Map([['self', { place: self, schema: schemaAt(this.#schema, self) }]]);
    if (!this.#make(this.#rule.expr, true, scope)) this.#shake(this.#rule.expr, scope);
  }

  /** A rule failed because something is missing. False: the rule itself does not mention it. */
  provide(name: string, self: ValuePath): boolean {
    const scope: RuleScope = new Map([['self', { place: self, schema: schemaAt(this.#schema, self) }]]);
    const missing = placesIn(this.#rule.expr, scope, this.#draft.root).filter(
      ({ place }) => place.at(-1) === name && this.#draft.at(place) === undefined,
    );
    return missing.some((ref) => this.#draft.put(ref, this.#draft.fresh(ref.schema)));
  }

  /** False: nothing could be done for the goal. */
  #make(expr: Expr, want: boolean, scope: RuleScope): boolean {
    switch (expr.kind) {
      case 'select':
        if (expr.test)
          return this.#presence(operandOf({ ...expr, test: false }, scope, this.#draft.root), want);
        return this.#assign(operandOf(expr, scope, this.#draft.root), want);
      case 'ident':
        return this.#assign(scope.get(expr.name), want);
      case 'comprehension':
        return this.#comprehension(expr, want, scope);
      case 'call':
        return this.#call(expr, want, scope);
      case 'literal':
        return expr.value === want;
      default:
        return false;
    }
  }

  #call(expr: Call, want: boolean, scope: RuleScope): boolean {
    const [first, second, third] = expr.args;
    switch (expr.name) {
      case operators.and:
        return want ? this.#all(expr.args, true, scope) : this.#one(expr.args, false, scope);
      case operators.or:
        return want ? this.#one(expr.args, true, scope) : this.#all(expr.args, false, scope);
      case operators.not:
        return this.#make(first!, !want, scope);
      case operators.conditional:
        return this.#conditional(first!, second!, third!, want, scope);
      case operators.in:
        return this.#membership(first!, second!, want, scope);
      case 'hasValue':
        return this.#presence(operandOf(expr.target!, scope, this.#draft.root), want);
      default: {
        const comparison = comparisonOf(expr.name);
        if (comparison === undefined) return this.#text(expr, want, scope);
        return this.#compare(want ? comparison : opposite(comparison), first!, second!, scope);
      }
    }
  }

  #all(parts: readonly Expr[], want: boolean, scope: RuleScope): boolean {
    return parts.map((part) => this.#make(part, want, scope)).every(Boolean);
  }

  #one(parts: readonly Expr[], want: boolean, scope: RuleScope): boolean {
    return this.#maker.dice.shuffled(parts).some((part) => this.#make(part, want, scope));
  }

  #conditional(condition: Expr, yes: Expr, no: Expr, want: boolean, scope: RuleScope): boolean {
    const ways = this.#maker.dice.shuffled([true, false]);
    return ways.some((way) => this.#make(way ? yes : no, want, scope) && this.#make(condition, way, scope));
  }

  #presence(operand: Operand | undefined, want: boolean): boolean {
    if (!isPlace(operand)) return false;
    if (!want) return this.#draft.remove(operand.place);
    return (
      this.#draft.at(operand.place) !== undefined ||
      this.#draft.put(operand, this.#draft.fresh(operand.schema))
    );
  }

  #assign(operand: Operand | undefined, value: JsonValue): boolean {
    return isPlace(operand) && this.#draft.put(operand, value);
  }

  #membership(item: Expr, list: Expr, want: boolean, scope: RuleScope): boolean {
    const [inner, outer] = [
      operandOf(item, scope, this.#draft.root),
      operandOf(list, scope, this.#draft.root),
    ];
    const [value, all] = [
      currentValue(item, scope, this.#draft.root),
      currentValue(list, scope, this.#draft.root),
    ];
    if (want && isPlace(inner) && Array.isArray(all) && all.length > 0)
      return this.#draft.put(inner, this.#maker.dice.pick(all));
    if (want && isPlace(inner) && isJsonObject(all) && Object.keys(all).length > 0)
      return this.#draft.put(inner, this.#maker.dice.pick(Object.keys(all)));
    if (isPlace(outer) && typeof value === 'string') return this.#memberNamed(outer, value, want);
    return (
      !want &&
      isPlace(inner) &&
      (this.#draft.remove(inner.place) || this.#draft.put(inner, this.#draft.fresh(inner.schema)))
    );
  }

  #memberNamed(outer: ValueRef, name: string, want: boolean): boolean {
    const current = this.#draft.at(outer.place);
    if (outer.schema?.type === 'array') {
      const list = Array.isArray(current) ? current : [];
      return this.#draft.put(outer, want ? [...list, name] : list.filter((one) => one !== name));
    }
    if (!want) return this.#draft.remove([...outer.place, name]);
    return this.#draft.put(
      { place: [...outer.place, name], schema: undefined },
      this.#draft.fresh(childSchema(outer.schema, name)),
    );
  }

  #compare(comparison: ComparisonOperator, left: Expr, right: Expr, scope: RuleScope): boolean {
    const sides = [
      { comparison, subject: left, other: right },
      { comparison: flipped(comparison), subject: right, other: left },
    ];
    return (this.#maker.dice.chance(75) ? sides : sides.reverse()).some((side) =>
      this.#adjust(side.comparison, side.subject, side.other, scope),
    );
  }

  #adjust(comparison: ComparisonOperator, subject: Expr, other: Expr, scope: RuleScope): boolean {
    const value = currentValue(other, scope, this.#draft.root);
    if (value === undefined) return false;
    if (subject.kind === 'call' && subject.name === 'size')
      return this.#resize(comparison, subject, value, scope);
    const operand = operandOf(subject, scope, this.#draft.root);
    if (!isPlace(operand))
      return typeof value === 'boolean' && this.#make(subject, (comparison === '==') === value, scope);
    return this.#draft.put(operand, this.#valueThat(comparison, value, operand));
  }

  #valueThat(comparison: ComparisonOperator, value: JsonValue, { place, schema }: ValueRef): JsonValue {
    if (comparison === '==') return schema?.type === 'array' && !Array.isArray(value) ? [value] : value;
    if (
      comparison !== '!=' &&
      (typeof value === 'number' || typeof value === 'bigint') &&
      schema?.type !== 'string'
    )
      return numberThat(comparison, Number(value), this.#maker.dice);
    if (schema?.type === 'boolean') return value !== true;
    const current = this.#draft.at(place);
    const made =
      schema?.type === 'string' && this.#maker.dice.chance(40)
        ? guessedText(this.#rule, this.#maker.dice)
        : this.#draft.fresh(schema);
    return encodeJson(made) === encodeJson(value) ? (current ?? made) : made;
  }

  #resize(
    comparison: ComparisonOperator,
    { target, args }: Call,
    size: JsonValue,
    scope: RuleScope,
  ): boolean {
    const inner = target ?? args[0]!;
    const operand = operandOf(inner, scope, this.#draft.root);
    if (!isPlace(operand)) return false;
    const wanted = Math.max(0, numberThat(comparison, Number(size), this.#maker.dice));
    const current = this.#draft.at(operand.place);
    return this.#draft.put(
      operand,
      resized(current ?? this.#draft.fresh(operand.schema), wanted, operand.schema, this.#maker),
    );
  }

  /** A predicate on a text: startsWith, matches, isIP and all others without special treatment. */
  #text({ name, target, args }: Call, want: boolean, scope: RuleScope): boolean {
    const subject = target ?? args[0];
    const operand = subject === undefined ? undefined : operandOf(subject, scope, this.#draft.root);
    if (!isPlace(operand)) return false;
    const current = this.#draft.at(operand.place);
    const isText =
      operand.schema?.type === 'string' ||
      operand.schema?.['x-kubernetes-int-or-string'] === true ||
      typeof current === 'string';
    if (!isText) return false;
    const argument = args.length === 0 ? undefined : currentValue(args.at(-1)!, scope, this.#draft.root);
    const given = typeof argument === 'string' ? argument : '';
    return this.#draft.put(
      operand,
      want
        ? this.#textThat(name, given, typeof current === 'string' ? current : '')
        : this.#draft.fresh(operand.schema),
    );
  }

  #textThat(name: string, argument: string, current: string): string {
    const { dice } = this.#maker;
    if (name === 'startsWith') return dice.chance(50) ? argument + current : argument;
    if (name === 'endsWith') return current + argument;
    if (name === 'contains') return `${current}${argument}`;
    const tree = name === 'matches' ? patternTreeOf(argument) : undefined;
    return tree === undefined ? guessedText(this.#rule, dice) : emit(tree, dice, dice.pick([0, 1, 4, 12]));
  }

  #comprehension(expr: Comprehension, want: boolean, scope: RuleScope): boolean {
    const macro = this.#rule.macros.get(expr.id);
    if (macro === undefined) return false;
    const range = operandOf(expr.iterRange, scope, this.#draft.root);
    const predicate = macro.args.at(-1);
    if (!isPlace(range) || predicate === undefined) return false;
    if (isUniqueness(macro, this.#rule)) return this.#thinOut(range);
    const elements = this.#elements(range, expr, scope);
    if (macro.name === 'all')
      return want
        ? this.#every(elements, expanded(expr), true, range)
        : this.#some(elements, expanded(expr), false, range, expr, scope);
    if (macro.name === 'exists')
      return want
        ? this.#some(elements, expanded(expr), true, range, expr, scope)
        : this.#every(elements, expanded(expr), false, range);
    if (macro.name !== 'exists_one' && macro.name !== 'existsOne') return false;
    const [one, ...others] = this.#maker.dice.shuffled(elements);
    if (one === undefined) return this.#some(elements, expanded(expr), true, range, expr, scope);
    for (const other of others) this.#make(expanded(expr), false, other);
    return this.#make(expanded(expr), want, one);
  }

  /** A scope for each element of a list or map. */
  #elements(range: ValueRef, expr: Comprehension, scope: RuleScope): RuleScope[] {
    const value = this.#draft.at(range.place);
    const steps = Array.isArray(value) ? [...value.keys()] : isJsonObject(value) ? Object.keys(value) : [];
    return steps.map((step) => this.#elementScope(range, step, expr, scope));
  }

  #elementScope(
    range: ValueRef,
    step: string | number,
    { iterVar, iterVar2 }: Comprehension,
    scope: RuleScope,
  ): RuleScope {
    const element: Operand = { place: [...range.place, step], schema: childSchema(range.schema, step) };
    if (iterVar2 !== undefined) return new Map([...scope, [iterVar, { value: step }], [iterVar2, element]]);
    return new Map([...scope, [iterVar, typeof step === 'number' ? element : { value: step }]]);
  }

  #every(elements: readonly RuleScope[], predicate: Expr, want: boolean, range: ValueRef): boolean {
    const allMade = elements.map((scope) => this.#make(predicate, want, scope)).every(Boolean);
    return allMade || this.#thinOut(range);
  }

  #some(
    elements: readonly RuleScope[],
    predicate: Expr,
    want: boolean,
    range: ValueRef,
    expr: Comprehension,
    scope: RuleScope,
  ): boolean {
    if (elements.length > 0) return this.#make(predicate, want, this.#maker.dice.pick(elements));
    const grown = resized(
      this.#draft.at(range.place) ?? (range.schema?.type === 'array' ? [] : {}),
      1,
      range.schema,
      this.#maker,
    );
    if (!Array.isArray(grown) || !this.#draft.put(range, grown)) return false;
    return this.#make(predicate, want, this.#elementScope(range, 0, expr, scope));
  }

  /** Fewer elements break fewer rules. */
  #thinOut(range: ValueRef): boolean {
    const value = this.#draft.at(range.place);
    const least = Number(range.schema?.minItems ?? range.schema?.minProperties ?? 0);
    const size = Math.max(least, this.#maker.dice.int(0, 1));
    return value !== undefined && this.#draft.put(range, resized(value, size, range.schema, this.#maker));
  }

  /** A last resort: changes something that the rule mentions. */
  #shake(expr: Expr, scope: RuleScope): void {
    const places = placesIn(expr, scope, this.#draft.root);
    if (places.length === 0) return;
    const absent = places.filter(({ place }) => this.#draft.at(place) === undefined);
    const chosen = this.#maker.dice.pick(absent.length > 0 && this.#maker.dice.chance(50) ? absent : places);
    if (this.#maker.dice.chance(40) && this.#draft.remove(chosen.place)) return;
    const isText = chosen.schema?.type === 'string' && this.#maker.dice.chance(60);
    this.#draft.put(
      chosen,
      isText ? guessedText(this.#rule, this.#maker.dice) : this.#draft.fresh(chosen.schema),
    );
  }
}

/**
 * The predicate inside an expanded quantifier: the second term of its step, or the condition of exists_one.
 */
function expanded({ loopStep }: Comprehension): Expr {
  if (loopStep.kind !== 'call') return loopStep;
  return loopStep.name === operators.conditional ? loopStep.args[0]! : loopStep.args[1]!;
}

/** list.all(x, list.exists_one(y, …)): the usual way to say that items are distinct. */
function isUniqueness({ name, target, args }: Call, { macros }: ParsedRule): boolean {
  const inner = args.at(-1);
  const innerMacro = inner === undefined ? undefined : macros.get(inner.id);
  if (name !== 'all' || target === undefined || innerMacro?.target === undefined) return false;
  return innerMacro.name.startsWith('exists') && unparse(innerMacro.target) === unparse(target);
}
