// Label selectors: `app=web,tier in (front,back),!canary`. Parsed once, matched often.
import { aggregateMessage, fieldErrorMessage } from '../field/error.ts';
import { FieldPath } from '../field/path.ts';
import { compileLabelRequirements } from './compile-labels.ts';
import { type LabelToken, type LabelTokenKind, lexLabelSelector } from './label-lexer.ts';
import {
  isPlainRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelKeyFaults,
  printLabelRequirement,
  validateLabelRequirement,
} from './label-requirement.ts';

/** A selector that does not parse; the message is upstream's. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** A parsed label selector. */
export interface LabelSelector {
  /** Sorted by key. All must hold. An index may be used for those with `=`, `==` and `in`. */
  readonly requirements: readonly LabelRequirement[];
  /** True if it selects everything. */
  readonly empty: boolean;
  matches(labels: Labels | undefined): boolean;
  toString(): string;
}

/** Throws SelectorError. */
export function parseLabelSelector(text: string): LabelSelector {
  return labelSelectorOf(new LabelSelectorParser(lexLabelSelector(text)).parse());
}

/** From requirements that are known to be valid. */
export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const matches = compileLabelRequirements(sorted);
  return {
    requirements: sorted,
    empty: sorted.length === 0,
    matches: (labels = {}) => matches(labels),
    toString: () => sorted.map(printLabelRequirement).join(','),
  };
}

export const everyLabel: LabelSelector = labelSelectorOf([]);

/** Selects nothing, like a null LabelSelector. */
export const noLabel: LabelSelector = {
  requirements: [],
  empty: false,
  matches: () => false,
  toString: () => '',
};

const OPERATOR_OF: Partial<Record<LabelTokenKind, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

class LabelSelectorParser {
  private readonly tokens: readonly LabelToken[];
  private position = 0;

  constructor(tokens: readonly LabelToken[]) {
    this.tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const first = this.peek();
      if (first.kind === 'end') return requirements;
      if (!startsRequirement(first))
        throw new SelectorError(`found '${first.literal}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.requirement());
      const next = this.take();
      if (next.kind === 'end') return requirements;
      if (next.kind !== ',')
        throw new SelectorError(`found '${next.literal}', expected: ',' or 'end of string'`);
      const after = this.peek();
      if (!startsRequirement(after))
        throw new SelectorError(`found '${after.literal}', expected: identifier after ','`);
    }
  }

  private requirement(): LabelRequirement {
    const negated = this.peek().kind === '!';
    if (negated) this.take();
    const key = this.key();
    const { kind } = this.peek();
    if (negated) return { key, operator: '!', values: [] };
    if (kind === 'end' || kind === ',') return { key, operator: 'exists', values: [] };
    const operator = this.operator();
    const values = operator === 'in' || operator === 'notin' ? this.valueSet() : [this.exactValue()];
    const distinct = values.length === 1 ? values : [...new Set(values)].sort();
    const requirement: LabelRequirement = { key, operator, values: distinct };
    const errors = isPlainRequirement(requirement) ? [] : validateLabelRequirement(requirement);
    if (errors.length > 0) throw refused(aggregateMessage(errors));
    return requirement;
  }

  private key(): string {
    const { kind, literal } = this.take();
    if (kind !== 'identifier') throw refused(`found '${literal}', expected: identifier`);
    const [error] = labelKeyFaults(literal, FieldPath.root);
    if (error !== undefined) throw refused(fieldErrorMessage(error));
    return literal;
  }

  private operator(): LabelOperator {
    // Words count as operators only here; elsewhere "in" is an identifier.
    const token = this.tokens[this.position++]!;
    const operator = OPERATOR_OF[token.kind];
    if (operator === undefined)
      throw refused(`found '${token.literal}', expected: in, notin, =, ==, !=, gt, lt`);
    return operator;
  }

  private exactValue(): string {
    const { kind } = this.peek();
    if (kind === 'end' || kind === ',') return '';
    const token = this.take();
    if (token.kind === 'identifier') return token.literal;
    throw refused(`found '${token.literal}', expected: identifier`);
  }

  private valueSet(): string[] {
    const open = this.take();
    if (open.kind !== '(') throw refused(`found '${open.literal}' expected: '('`);
    const first = this.peek();
    if (first.kind === ')') {
      this.take();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',')
      throw refused(`found '${first.literal}', expected: ',', ')' or identifier`);
    const values = this.values();
    this.take();
    return values;
  }

  /** Up to the closing parenthesis. A comma with nothing before or after it means an empty value. */
  private values(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.take();
      const next = this.peek();
      if (token.kind === 'identifier') {
        values.push(token.literal);
        if (next.kind === ')') return values;
        if (next.kind !== ',') throw refused(`found '${next.literal}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.length === 0 || next.kind === ')' || next.kind === ',') values.push('');
        if (next.kind === ')') return values;
      } else throw refused(`found '${token.literal}', expected: ',', or identifier`);
    }
  }

  private peek(): LabelToken {
    const token = this.tokens[Math.min(this.position, this.tokens.length - 1)]!;
    return token.kind === 'in' || token.kind === 'notin'
      ? { kind: 'identifier', literal: token.literal }
      : token;
  }

  private take(): LabelToken {
    const token = this.peek();
    this.position++;
    return token;
  }
}

const startsRequirement = ({ kind }: LabelToken) => kind === 'identifier' || kind === '!';
const refused = (why: string) => new SelectorError(`unable to parse requirement: ${why}`);
