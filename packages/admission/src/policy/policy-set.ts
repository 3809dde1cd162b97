// All bound policies, ordered by name. Which of them can match is cached for requests of the same resource
// and operation.
import { matchedMapping } from '../match/matched-mapping.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { BindingBase, CompiledBinding, CompiledPolicy, PolicyBase } from './policy.ts';

export interface BoundPolicy<P extends PolicyBase = CompiledPolicy, B extends BindingBase = CompiledBinding> {
  readonly policy: P;
  readonly bindings: readonly B[];
}

const MAX_KEPT = 10_000;
const NONE: readonly never[] = [];

/** All policies with their bindings, looked up by resource and operation. */
export class PolicySet<P extends PolicyBase = CompiledPolicy, B extends BindingBase = CompiledBinding> {
  readonly bound: readonly BoundPolicy<P, B>[];
  readonly #kept = new WeakMap<readonly ResourceMapping[], Map<string, readonly BoundPolicy<P, B>[]>>();

  constructor(policies: Iterable<P>, bindings: Iterable<B>) {
    const byPolicy = new Map<string, B[]>();
    for (const binding of [...bindings].sort(byName)) {
      const known = byPolicy.get(binding.policyName);
      if (known === undefined) byPolicy.set(binding.policyName, [binding]);
      else known.push(binding);
    }
    this.bound = [...policies]
      .sort(byName)
      .flatMap((policy) =>
        byPolicy.has(policy.name) ? [{ policy, bindings: byPolicy.get(policy.name)! }] : [],
      );
  }

  /** Those whose rules match, ignoring the names of objects. */
  candidates(subject: AdmissionSubject): readonly BoundPolicy<P, B>[] {
    if (this.bound.length === 0) return NONE;
    let kept = this.#kept.get(subject.equivalents);
    if (kept === undefined) this.#kept.set(subject.equivalents, (kept = new Map()));
    const { group, version, resource } = subject.resource;
    const key = `${subject.operation} ${group}/${version}/${resource}/${subject.subresource} ${subject.namespace !== ''}`;
    let found = kept.get(key);
    if (found === undefined) {
      found = this.bound.filter(({ policy: { match } }) => {
        const rules = match.rules.map((rule) => ({ ...rule, names: undefined }));
        return rules.length === 0 || matchedMapping(rules, match.policy, subject) !== undefined;
      });
      if (kept.size < MAX_KEPT) kept.set(key, found);
    }
    return found;
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

/** The set of a server without policies. */
export const NO_POLICIES: PolicySet<never, never> = new PolicySet([], []);
