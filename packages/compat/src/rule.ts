// A rule: its id, an explanation, examples that are its tests, and a pure comparison. Each file in rules/
// holds one rule.
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import type { JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Audience, Evidence, Severity } from './finding.ts';
import type { NodePair } from './walk/node-pair.ts';

/** What a comparison reports for one difference; the walk adds its location. */
export interface Change {
  readonly severity: Severity;
  readonly message: string;
  /** Relative to the compared schema, as appended to its path: .name. */
  readonly at?: string;
  readonly breaks?: readonly Audience[];
  readonly instead?: string;
  readonly evidence?: readonly Evidence[];
  /** Distinguishes findings of one rule at one path: the text of a validation rule, the values of an enum. */
  readonly key?: string;
}

interface RuleText {
  /** In kebab-case; exceptions and `instar explain` refer to it. */
  readonly id: string;
  /** One line: what is reported. */
  readonly title: string;
  /** The worst severity that the rule reports. */
  readonly severity: Severity;
  readonly breaks: readonly Audience[];
  readonly explanation: string;
  readonly instead: string;
  /** The change removes the resource or makes it another one. */
  readonly fundamental?: boolean;
}

/** An example of a schema rule: the schema of `spec`, or of `status`, before and after. */
interface SchemaExample {
  readonly title: string;
  readonly of?: 'status';
  readonly old: JSONSchemaProps;
  readonly new: JSONSchemaProps;
  readonly severity: Severity | 'none';
}

/** An example of a definition rule: a merge patch of a small definition, before and after. */
interface DefinitionExample {
  readonly title: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly severity: Severity | 'none';
}

/** Compares two schemas at one path. */
export interface SchemaRule extends RuleText {
  readonly kind: 'schema';
  /**
   * Keywords whose difference the rule explains. A difference in a keyword that no rule has is reported as
   * unhandled.
   */
  readonly keywords: readonly string[];
  readonly examples: readonly SchemaExample[];
  compare(pair: NodePair): readonly Change[];
}

/** Compares two versions of the same name, except their schemas. */
export interface VersionRule extends RuleText {
  readonly kind: 'version';
  readonly keywords: readonly string[];
  readonly examples: readonly DefinitionExample[];
  /** `was` is the definition that `old` is a version of. */
  compare(
    old: CustomResourceDefinitionVersion,
    next: CustomResourceDefinitionVersion,
    was: CustomResourceDefinition,
  ): readonly Change[];
}

/** Compares two definitions as a whole. */
export interface DefinitionRule extends RuleText {
  readonly kind: 'definition';
  /** Dotted: spec.scope. */
  readonly keywords: readonly string[];
  readonly examples: readonly DefinitionExample[];
  compare(
    old: CustomResourceDefinition,
    next: CustomResourceDefinition,
  ): readonly (Change & { readonly version?: string })[];
}

/** What other parts of the check report, which do not compare a single keyword. */
export interface ReportedRule extends RuleText {
  readonly kind: 'reported';
}

/** A rule of the checker. */
export type Rule = SchemaRule | VersionRule | DefinitionRule | ReportedRule;
