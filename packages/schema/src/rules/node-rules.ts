// The rules of one schema node and the types that they may refer to, compiled on first use.
import { type CompiledRule, type DeclaredType, declareType, RuleScope } from '@instar/cel/kubernetes';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.ts';
import { normalFieldPath } from './field-path.ts';

export interface NodeRule {
  readonly source: ValidationRule;
  readonly compiled: CompiledRule;
  /** The path below the node at which the rule reports, if it has one. */
  readonly fieldPath: string | undefined;
}

export class NodeRules {
  readonly scope: RuleScope;
  readonly declared: DeclaredType;
  readonly #props: JSONSchemaProps;
  #rules: readonly NodeRule[] | undefined;
  #usesOldSelf: boolean | undefined;

  constructor(props: JSONSchemaProps, declared: DeclaredType) {
    this.#props = props;
    this.declared = declared;
    this.scope = new RuleScope(declared);
  }

  get rules(): readonly NodeRule[] {
    return (this.#rules ??= (this.#props['x-kubernetes-validations'] ?? []).map((source) => ({
      source,
      compiled: this.scope.compile(source),
      fieldPath:
        source.fieldPath === undefined || source.fieldPath === ''
          ? undefined
          : normalFieldPath(source.fieldPath, this.#props),
    })));
  }

  get usesOldSelf(): boolean {
    return (this.#usesOldSelf ??= this.rules.some(({ compiled }) => compiled.usesOldSelf));
  }
}

/** The CEL types of a schema; undefined for values that neither rules at the node nor below it can access. */
export function declarationOf(props: JSONSchemaProps, isResource: boolean): DeclaredType | undefined {
  return declareType(props as Parameters<typeof declareType>[0], isResource);
}
