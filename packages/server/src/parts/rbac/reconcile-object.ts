// What a bootstrap role or binding becomes if it exists already: what is missing is added, and what users
// added is kept. An object with the annotation autoupdate "false" is left alone.
import {
  asJson,
  asKubeObject,
  deepCopy,
  deepEqual,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import { uncovered } from '../../api/auth/rbac/covers.ts';
import type { PolicyRule } from '../../kinds/validate/rbac.ts';

const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

type Reconciled = { readonly update: KubeObject } | 'recreate' | 'unchanged';

export function reconciledObject(existing: KubeObject, expected: KubeObject): Reconciled {
  if (existing.metadata.annotations?.[AUTO_UPDATE] === 'false') return 'unchanged';
  const next = asKubeObject(deepCopy(asJson(existing)));
  next.metadata.labels = { ...expected.metadata.labels, ...existing.metadata.labels };
  next.metadata.annotations = { ...expected.metadata.annotations, ...existing.metadata.annotations };
  if ('roleRef' in expected) {
    if (!deepEqual(asJson(existing)['roleRef']!, asJson(expected)['roleRef']!)) return 'recreate';
    addSubjects(next, expected);
  } else {
    addRules(next, expected);
    reconcileAggregation(next, expected);
  }
  return deepEqual(asJson(next), asJson(existing)) ? 'unchanged' : { update: next };
}

function addSubjects(next: KubeObject, expected: KubeObject): void {
  const subjects = listOf(next, 'subjects');
  const missing = without(listOf(expected, 'subjects'), subjects);
  if (missing.length > 0) asJson(next)['subjects'] = [...subjects, ...missing];
}

function addRules(next: KubeObject, expected: KubeObject): void {
  const rules = listOf(next, 'rules');
  const missing = uncovered(
    rules as unknown as PolicyRule[],
    listOf(expected, 'rules') as unknown as PolicyRule[],
  );
  // A role so large that it cannot be compared is left as it is.
  if (missing === 'too-many' || missing.length === 0) return;
  const added = missing.map(({ verb, group, resource, name, path }) =>
    path !== undefined
      ? { verbs: [verb], nonResourceURLs: [path] }
      : {
          verbs: [verb],
          apiGroups: [group!],
          resources: [resource!],
          ...(name !== undefined && { resourceNames: [name] }),
        },
  );
  asJson(next)['rules'] = [...rules, ...added];
}

function reconcileAggregation(next: KubeObject, expected: KubeObject): void {
  const wanted = asJson(expected)['aggregationRule'] as JsonObject | undefined;
  const present = asJson(next)['aggregationRule'] as JsonObject | undefined;
  if (wanted === undefined) {
    delete asJson(next)['aggregationRule'];
    return;
  }
  const selectors = (present?.['clusterRoleSelectors'] ?? []) as JsonValue[];
  const missing = without(wanted['clusterRoleSelectors'] as JsonValue[], selectors);
  if (missing.length > 0)
    asJson(next)['aggregationRule'] = { clusterRoleSelectors: [...selectors, ...missing] };
}

const listOf = (object: KubeObject, field: string): JsonValue[] =>
  (asJson(object)[field] ?? []) as JsonValue[];

const without = (list: readonly JsonValue[], known: readonly JsonValue[]): JsonValue[] =>
  list.filter((item) => !known.some((other) => deepEqual(item, other)));
