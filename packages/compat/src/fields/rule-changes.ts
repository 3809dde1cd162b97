// Which validation rules of a schema were added, removed, or changed.
import type { ValidationRule } from '@instar/schema';
import type { NodePair } from '../walk/node-pair.ts';

/** The rules of a schema, before and after. */
export interface RuleChanges {
  readonly added: readonly ValidationRule[];
  readonly removed: readonly ValidationRule[];
  readonly changed: readonly { readonly from: ValidationRule; readonly to: ValidationRule }[];
  /** The same rule with another message, reason or fieldPath. */
  readonly reworded: readonly ValidationRule[];
  /** All that differ, before and after: what one old rule said may be several new ones. */
  readonly before: readonly ValidationRule[];
  readonly after: readonly ValidationRule[];
}

export function ruleChangesOf({ old, new: next }: NodePair): RuleChanges {
  const was = old['x-kubernetes-validations'] ?? [];
  const is = next['x-kubernetes-validations'] ?? [];
  const removed = was.filter((rule) => !is.some((other) => isSameRule(rule, other)));
  const added = is.filter((rule) => !was.some((other) => isSameRule(rule, other)));
  const changed = matched(removed, added);
  return {
    before: removed,
    after: added,
    added: added.filter((rule) => !changed.some(({ to }) => to === rule)),
    removed: removed.filter((rule) => !changed.some(({ from }) => from === rule)),
    changed,
    reworded: is.filter(
      (rule) =>
        was.some((other) => isSameRule(rule, other)) && !was.some((other) => isIdentical(rule, other)),
    ),
  };
}

function isSameRule(a: ValidationRule, b: ValidationRule): boolean {
  return textOf(a) === textOf(b) && (a.optionalOldSelf === true) === (b.optionalOldSelf === true);
}

function isIdentical(a: ValidationRule, b: ValidationRule): boolean {
  const words = ({ message, messageExpression, reason, fieldPath }: ValidationRule) =>
    JSON.stringify([message, messageExpression, reason, fieldPath]);
  return isSameRule(a, b) && words(a) === words(b);
}

/** White space has no meaning outside of strings, and rarely differs inside. */
const textOf = ({ rule }: ValidationRule): string => rule.replace(/\s+/g, ' ').trim();

/** Rules with the same message belong together, then those with most of their words in common. */
function matched(
  removed: readonly ValidationRule[],
  added: readonly ValidationRule[],
): { from: ValidationRule; to: ValidationRule }[] {
  const free = new Set(added);
  return removed.flatMap((from) => {
    const candidates = [...free];
    const to =
      candidates.find(({ message }) => message !== undefined && message === from.message) ??
      candidates.find((rule) => wordsInCommon(from, rule) >= 0.6);
    if (to === undefined) return [];
    free.delete(to);
    return [{ from, to }];
  });
}

function wordsInCommon(a: ValidationRule, b: ValidationRule): number {
  const [x, y] = [a, b].map(({ rule }) => new Set(rule.match(/[A-Za-z_]\w*|'[^']*'|"[^"]*"|\d+/g) ?? [])) as [
    Set<string>,
    Set<string>,
  ];
  const common = [...x].filter((word) => y.has(word)).length;
  return common / Math.max(x.size, y.size, 1);
}

/** A rule as messages show it. */
export function shown({ rule }: ValidationRule): string {
  const text = rule.replace(/\s+/g, ' ').trim();
  return text.length > 100 ? `${text.slice(0, 97)}…` : text;
}
