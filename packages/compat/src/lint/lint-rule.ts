// A lint rule. Lint checks one definition for what is hard to change later or surprises users. Each file in
// rules/ holds one rule.
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import type { JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';

/** The conventions that the linter checks a definition against. */
export type Profile = 'default' | 'gateway-api' | 'strict';
export const PROFILES: readonly Profile[] = ['default', 'gateway-api', 'strict'];

/** How serious a finding of the linter is. */
export type LintSeverity = 'error' | 'warning' | 'info';

/** One statement of the linter about a definition. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly crd: string;
  readonly kind: string;
  readonly version?: string;
  readonly path?: string;
  readonly message: string;
  readonly instead: string;
  /** Why this finding does not count. */
  readonly excused?: string;
}

interface LintText {
  readonly id: string;
  readonly title: string;
  readonly explanation: string;
  readonly instead: string;
  /** A profile that is not named here does not have the rule. */
  readonly profiles: Readonly<Partial<Record<Profile, LintSeverity>>>;
}

/** A location in a schema, as lint rules see it. */
export interface LintNode {
  readonly schema: JSONSchemaProps;
  readonly path: string;
  /** The name of the field; "" for the object itself, items and values of maps. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Below .status: written by controllers, not by users. */
  readonly inStatus: boolean;
}

interface LintExample {
  readonly title: string;
  /** The schema of `spec`, or of what `at` names. */
  readonly spec: JSONSchemaProps;
  readonly found: boolean;
}

export interface NodeLintRule extends LintText {
  readonly kind: 'node';
  readonly examples: readonly LintExample[];
  look(node: LintNode): string | undefined;
}

export interface VersionLintRule extends LintText {
  readonly kind: 'version';
  /** A merge patch of a small definition. */
  readonly examples: readonly {
    readonly title: string;
    readonly definition: JsonObject;
    readonly found: boolean;
  }[];
  look(
    version: CustomResourceDefinitionVersion,
    crd: CustomResourceDefinition,
  ): readonly { readonly message: string; readonly path?: string }[];
}

/** A rule of the linter. */
export type LintRule = NodeLintRule | VersionLintRule;
