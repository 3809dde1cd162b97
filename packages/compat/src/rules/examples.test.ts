// The examples of every rule are its tests: each becomes part of a definition, which is checked as a whole,
// and the findings of that rule are compared.
import { applyMergePatch, type JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { check } from '../check.ts';
import { compareSeverity, type Severity } from '../finding.ts';
import { RULES } from './index.ts';

function widgets(schema: JSONSchemaProps = { type: 'object' }, name = 'spec'): JsonObject {
  const openAPIV3Schema = { type: 'object', properties: { [name]: schema } } as unknown as JsonObject;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.foomake.io' },
    spec: {
      group: 'foomake.io',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function verdict(old: JsonObject, next: JsonObject, rule: string): Severity | 'none' {
  const severities = check(old, next)
    .filter((finding) => finding.rule === rule)
    .map(({ severity }) => severity);
  return severities.sort(compareSeverity)[0] ?? 'none';
}

describe.each(RULES.flatMap((rule) => (rule.kind === 'reported' ? [] : [rule])))('rule $id', (rule) => {
  type Row = [string, Severity | 'none', JsonObject, JsonObject];
  const examples =
    rule.kind === 'schema'
      ? rule.examples.map(
          ({ title, severity, of, old, new: next }): Row => [
            title,
            severity,
            widgets(old, of),
            widgets(next, of),
          ],
        )
      : rule.examples.map(
          ({ title, severity, old, new: next }): Row => [
            title,
            severity,
            applyMergePatch(widgets(), old),
            applyMergePatch(widgets(), next),
          ],
        );

  it.each(examples)('reports "%s" as %s', (_, severity, old, next) => {
    expect(verdict(old, next, rule.id)).toBe(severity);
  });

  it('has no example with an unhandled difference', () => {
    for (const [, , old, next] of examples)
      expect(check(old, next).filter((finding) => finding.rule === 'unhandled')).toEqual([]);
  });

  it('has an example of the worst severity that it reports', () => {
    expect(rule.examples.map(({ severity }) => severity)).toContain(rule.severity);
  });
});
