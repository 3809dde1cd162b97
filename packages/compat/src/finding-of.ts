// Makes a finding from the change that a rule reports and its location.
import type { CustomResourceDefinition } from '@instar/crd';
import type { Finding, Scope } from './finding.ts';
import type { Change, Rule } from './rule.ts';

interface FindingLocation {
  readonly version?: string;
  readonly toVersion?: string;
  readonly path?: string;
}

export function findingOf(
  rule: Rule,
  change: Change,
  crd: CustomResourceDefinition,
  scope: Scope,
  location: FindingLocation = {},
): Finding {
  const { severity, message, breaks = rule.breaks, instead = rule.instead, evidence, key } = change;
  const isSafe = severity === 'safe';
  return {
    rule: rule.id,
    severity,
    scope,
    crd: crd.metadata.name ?? `${crd.spec.names.plural}.${crd.spec.group}`,
    kind: crd.spec.names.kind,
    ...location,
    message,
    breaks: isSafe ? [] : breaks,
    ...(isSafe ? {} : { instead }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(key === undefined ? {} : { key }),
    ...(severity === 'breaking' && rule.fundamental === true ? { fundamental: true } : {}),
  };
}
