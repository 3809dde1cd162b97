// Syntax tree to source text. Macros are written as calls if the parser kept them. The result parses to the
// same tree; spacing and redundant parentheses are not kept.

import { printFloat } from '@instar/go';
import type { Call, Comprehension, Expr, StructField } from './ast.ts';
import { binaryOperators, operators } from './operators.ts';
import { Double, Uint } from './values/numbers.ts';
import { typeOf } from './values/type-of.ts';
import type { Value } from './values.ts';

const signs = new Map(Object.entries(binaryOperators).map(([sign, name]) => [name, sign]));

/** Larger binds tighter. */
const binding = {
  conditional: 1,
  or: 2,
  and: 3,
  relation: 4,
  sum: 5,
  product: 6,
  unary: 7,
  member: 8,
} as const;

function bindingOf(name: string): number {
  const sign = signs.get(name);
  if (sign === '*' || sign === '/' || sign === '%') return binding.product;
  if (sign === '+' || sign === '-') return binding.sum;
  if (sign !== undefined) return binding.relation;
  switch (name) {
    case operators.conditional:
      return binding.conditional;
    case operators.or:
      return binding.or;
    case operators.and:
      return binding.and;
    case operators.not:
    case operators.negate:
      return binding.unary;
    default:
      return binding.member;
  }
}

/** Prints an expression; with `macroCalls`, macros as they were written. */
export function unparse(expr: Expr, macroCalls: ReadonlyMap<number, Call> = new Map()): string {
  return new Unparser(macroCalls).text(expr);
}

class Unparser {
  private readonly macroCalls: ReadonlyMap<number, Call>;

  constructor(macroCalls: ReadonlyMap<number, Call>) {
    this.macroCalls = macroCalls;
  }

  text(expr: Expr): string {
    const macro = this.macroCalls.get(expr.id);
    if (macro !== undefined) return this.call(macro);
    switch (expr.kind) {
      case 'literal':
        return literalText(expr.value);
      case 'ident':
        return expr.name;
      case 'select':
        return expr.test
          ? `has(${this.selection(expr.operand, expr.field)})`
          : this.selection(expr.operand, expr.field);
      case 'call':
        return this.call(expr);
      case 'list':
        return `[${expr.elements.map((element, index) => `${expr.optional.has(index) ? '?' : ''}${this.text(element)}`).join(', ')}]`;
      case 'map':
        return `{${expr.entries.map((e) => `${e.optional ? '?' : ''}${this.text(e.key)}: ${this.text(e.value)}`).join(', ')}}`;
      case 'struct':
        return `${expr.typeName}{${expr.fields.map((field) => this.field(field)).join(', ')}}`;
      case 'comprehension':
        return this.comprehension(expr);
    }
  }

  /** In parentheses if it binds less tightly than its context requires. */
  private operand(expr: Expr, tightness: number): string {
    const text = this.text(expr);
    const own = this.macroCalls.get(expr.id) ?? expr;
    const needed =
      own.kind === 'call'
        ? bindingOf(own.name) < tightness
        : isNegativeNumber(own) && tightness >= binding.member;
    return needed ? `(${text})` : text;
  }

  private selection(operand: Expr, field: string): string {
    return `${this.operand(operand, binding.member)}.${fieldName(field)}`;
  }

  private field(field: StructField): string {
    return `${field.optional ? '?' : ''}${fieldName(field.name)}: ${this.text(field.value)}`;
  }

  private call(call: Call): string {
    const { name, args } = call;
    const [a, b, c] = args as [Expr, Expr, Expr];
    const given = args.map((arg) => this.text(arg)).join(', ');
    if (call.target !== undefined) return `${this.operand(call.target, binding.member)}.${name}(${given})`;
    if (signs.has(name)) return this.binary(signs.get(name)!, name, a, b);
    switch (name) {
      case operators.conditional:
        return `${this.operand(a, binding.or)} ? ${this.operand(b, binding.or)} : ${this.operand(c, binding.conditional)}`;
      case operators.and:
      case operators.or:
        return this.logical(name, call);
      case operators.not:
        return `!${this.operand(a, binding.member)}`;
      case operators.negate:
        return negated(this.operand(a, binding.member));
      case operators.index:
        return `${this.operand(a, binding.member)}[${this.text(b)}]`;
      case operators.optIndex:
        return `${this.operand(a, binding.member)}[?${this.text(b)}]`;
      case operators.optSelect:
        return `${this.operand(a, binding.member)}.?${fieldName((b as Expr & { kind: 'literal' }).value as string)}`;
      default:
        return `${name}(${given})`;
    }
  }

  /**
   * The parser balances a chain of terms; a tree of another shape came from parentheses and needs them again.
   */
  private logical(name: string, call: Call): string {
    const tightness = isBalancedChain(call, name) ? bindingOf(name) : bindingOf(name) + 1;
    const [a, b] = call.args as [Expr, Expr];
    return `${this.operand(a, tightness)} ${name === operators.and ? '&&' : '||'} ${this.operand(b, tightness)}`;
  }

  /** Left-associative: the right side must bind more tightly. */
  private binary(sign: string, name: string, left: Expr, right: Expr): string {
    const tightness = bindingOf(name);
    return `${this.operand(left, tightness)} ${sign} ${this.operand(right, tightness + 1)}`;
  }

  /**
   * Only for expansions whose calls were not kept; the text cannot be parsed, as there is no syntax for them.
   */
  private comprehension(expr: Comprehension): string {
    const variables = expr.iterVar2 === undefined ? expr.iterVar : `${expr.iterVar}, ${expr.iterVar2}`;
    const parts = [expr.accuVar, expr.accuInit, expr.loopCondition, expr.loopStep, expr.result].map((part) =>
      typeof part === 'string' ? part : this.text(part),
    );
    return `__comprehension__(${variables}, ${this.text(expr.iterRange)}, ${parts.join(', ')})`;
  }
}

const isChain = (expr: Expr, name: string): expr is Call =>
  expr.kind === 'call' && expr.name === name && expr.target === undefined;

/** How many operators of this name the chain under `expr` has. */
function chainLength(expr: Expr, name: string): number {
  return isChain(expr, name) ? 1 + chainLength(expr.args[0]!, name) + chainLength(expr.args[1]!, name) : 0;
}

/**
 * Whether the chain without parentheses would be parsed to the same tree: the left side gets half of the
 * operators, rounded down.
 */
function isBalancedChain(expr: Expr, name: string): boolean {
  if (!isChain(expr, name)) return true;
  const [left, right] = expr.args as [Expr, Expr];
  const half = Math.floor(chainLength(expr, name) / 2);
  return chainLength(left, name) === half && isBalancedChain(left, name) && isBalancedChain(right, name);
}

/** `-1.f` would be the number -1 with a field, so what starts like a number needs parentheses. */
const negated = (operand: string): string => (/^[\d.]/.test(operand) ? `-(${operand})` : `-${operand}`);

function isNegativeNumber(expr: Expr): boolean {
  if (expr.kind !== 'literal') return false;
  const { value } = expr;
  if (value instanceof Double) return value.value < 0 || Object.is(value.value, -0);
  return (typeof value === 'number' || typeof value === 'bigint') && value < 0;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const keywords = new Set(['in', 'true', 'false', 'null']);

function fieldName(name: string): string {
  return plainName.test(name) && !keywords.has(name) ? name : `\`${name}\``;
}

function literalText(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Double) return doubleText(value.value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array)
    return `b"${Array.from(value, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
  return typeOf(value).name;
}

function doubleText(value: number): string {
  const text = printFloat(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped
  return `"${text.replace(/["\\\u0000-\u001f]/g, (unit) => escapes[unit] ?? `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}
