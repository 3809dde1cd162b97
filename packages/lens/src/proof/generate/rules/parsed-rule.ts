// A rule as a tree, parsed once, with the texts and patterns that it mentions: good guesses for values that
// satisfy it.
import { type Call, type Expr, parse, visit } from '@instar/cel';
import { kubernetesEnvironment } from '@instar/cel/kubernetes';

export interface ParsedRule {
  readonly expr: Expr;
  /** Macros before expansion, by the id of their expansion. */
  readonly macros: ReadonlyMap<number, Call>;
  readonly texts: readonly string[];
  readonly patterns: readonly string[];
  /** Arguments of startsWith and endsWith. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
}

const MAX_KEPT = 4096;
const parsed = new Map<string, ParsedRule | undefined>();

export function parsedRule(text: string): ParsedRule | undefined {
  if (parsed.has(text)) return parsed.get(text);
  if (parsed.size >= MAX_KEPT) parsed.clear();
  const rule = read(text);
  parsed.set(text, rule);
  return rule;
}

const BY_PATTERN: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

function read(text: string): ParsedRule | undefined {
  const { expr, issues, macroCalls } = parse(text, kubernetesEnvironment());
  if (issues.size > 0) return undefined;
  const texts: string[] = [];
  const patterns: string[] = [];
  const prefixes: string[] = [];
  const suffixes: string[] = [];
  visit(expr, (node) => {
    if (node.kind === 'literal' && typeof node.value === 'string') texts.push(node.value);
    if (node.kind !== 'call') return;
    const last = node.args.at(-1);
    if (last?.kind !== 'literal' || typeof last.value !== 'string') return;
    if (BY_PATTERN.has(node.name)) patterns.push(last.value);
    if (node.name === 'startsWith') prefixes.push(last.value);
    if (node.name === 'endsWith') suffixes.push(last.value);
  });
  return { expr, macros: macroCalls, texts, patterns, prefixes, suffixes };
}
