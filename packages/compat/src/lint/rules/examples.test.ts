// The examples of every lint rule are its tests.
import { applyMergePatch, type JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { V1 } from '../example-version.ts';
import { lint } from '../lint.ts';
import { PROFILES } from '../lint-rule.ts';
import { LINT_RULES } from './index.ts';

const WIDGETS: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.foomake.io' },
  spec: {
    group: 'foomake.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [V1],
  },
};

describe.each(LINT_RULES)('lint rule $id', (rule) => {
  const examples =
    rule.kind === 'node'
      ? rule.examples.map(({ title, spec, found }) => ({ title, found, definition: withSpec(spec) }))
      : rule.examples;

  it.each(
    examples.map(({ title, found, definition }): [string, boolean, JsonObject] => [
      title,
      found,
      definition as JsonObject,
    ]),
  )('"%s" has findings: %s', (_, found, definition) => {
    const profile = PROFILES.find((one) => rule.profiles[one] !== undefined)!;
    const findings = lint(applyMergePatch(structuredClone(WIDGETS), definition), { profile }).filter(
      (finding) => finding.rule === rule.id,
    );
    expect(findings.length > 0).toBe(found);
  });
});

function withSpec(spec: object): object {
  return {
    spec: { versions: [{ ...V1, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }] },
  };
}

describe('lint', () => {
  it('runs the rules of the profile that are not disabled', () => {
    expect(lint(WIDGETS).map(({ rule }) => rule)).toEqual([
      'conditions-missing',
      'status-subresource-missing',
    ]);
    expect(lint(WIDGETS, { disable: ['conditions-missing'] }).map(({ rule }) => rule)).toEqual([
      'status-subresource-missing',
    ]);
    expect(lint(WIDGETS, { profile: 'gateway-api' }).map(({ rule }) => rule)).toContain(
      'preserve-unknown-fields-required',
    );
  });
});
