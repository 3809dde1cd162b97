// lint(definition): advice on one definition, by the selected profile. Pure.
import type { CustomResourceDefinition } from '@instar/crd';
import type { JsonObject, JsonValue } from '@instar/machinery';
import { definitionOf } from '../definition/normal-form.ts';
import { malformed } from '../rules/reported.ts';
import type { LintFinding, LintNode, LintRule, LintSeverity, Profile } from './lint-rule.ts';
import { LINT_RULES } from './rules/index.ts';
import { nodesOf } from './walk-nodes.ts';

/** Options of the linter. */
export interface LintOptions {
  readonly profile?: Profile;
  /** Ids of rules that are left out. */
  readonly disable?: readonly string[];
}

/** Findings about a definition by itself, without an older one. */
export function lint(
  definition: CustomResourceDefinition | JsonObject,
  { profile = 'default', disable = [] }: LintOptions = {},
): LintFinding[] {
  const faults: string[] = [];
  const crd = definitionOf(definition as JsonValue, faults);
  if (crd === undefined) return [];
  const rules = LINT_RULES.filter(
    ({ id, profiles }) => profiles[profile] !== undefined && !disable.includes(id),
  );
  const unreadable = disable.includes(malformed.id) ? [] : faults.map((path) => malformedAt(path, crd));
  const advice = crd.spec.versions.flatMap((version) => {
    const nodes =
      version.schema?.openAPIV3Schema === undefined ? [] : nodesOf(version.schema.openAPIV3Schema);
    const at = { crd: crd.metadata.name ?? '', kind: crd.spec.names.kind, version: version.name };
    return rules.flatMap((rule) =>
      found(rule, nodes, version, crd).map((one) => ({
        rule: rule.id,
        severity: rule.profiles[profile] as LintSeverity,
        ...at,
        ...one,
        instead: rule.instead,
      })),
    );
  });
  return [...unreadable, ...advice];
}

/** As the check reports it. */
const malformedAt = (path: string, { metadata, spec }: CustomResourceDefinition): LintFinding => ({
  rule: malformed.id,
  severity: 'error',
  crd: metadata.name ?? '',
  kind: spec.names.kind,
  path,
  message: 'has the wrong type, and was ignored',
  instead: malformed.instead,
});

function found(
  rule: LintRule,
  nodes: readonly LintNode[],
  version: CustomResourceDefinition['spec']['versions'][number],
  crd: CustomResourceDefinition,
) {
  if (rule.kind === 'version') return rule.look(version, crd);
  return nodes.flatMap((node) => {
    const message = rule.look(node);
    return message === undefined ? [] : [{ message, path: node.path }];
  });
}
