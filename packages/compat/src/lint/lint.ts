// lint(definition): advice on one definition, by the profile that is chosen. Pure.
import type { CustomResourceDefinition } from '@instar/crd';
import type { JsonObject, JsonValue } from '@instar/machinery';
import { definitionOf } from '../definition/normal-form.ts';
import type { LintFinding, LintNode, LintRule, LintSeverity, Profile } from './lint-rule.ts';
import { LINT_RULES } from './rules/index.ts';
import { nodesOf } from './walk-nodes.ts';

export interface LintOptions {
  readonly profile?: Profile;
  /** Ids of rules that are left out. */
  readonly disable?: readonly string[];
}

export function lint(
  definition: CustomResourceDefinition | JsonObject,
  { profile = 'default', disable = [] }: LintOptions = {},
): LintFinding[] {
  const crd = definitionOf(definition as JsonValue);
  if (crd === undefined) return [];
  const rules = LINT_RULES.filter(({ id, profiles }) => profiles[profile] !== undefined && !disable.includes(id));
  return crd.spec.versions.flatMap((version) => {
    const nodes = version.schema?.openAPIV3Schema === undefined ? [] : nodesOf(version.schema.openAPIV3Schema);
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
}

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
