// All bound policies, ordered by name. Which of them can match is cached for requests of the same resource
// and operation.
import { matchedMapping } from '../match/matched-mapping.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { CompiledBinding, CompiledPolicy } from './policy.ts';

export interface BoundPolicy {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly CompiledBinding[];
}

const MAX_KEPT = 10_000;
const NONE: readonly BoundPolicy[] = [];

/** All policies with their bindings, looked up by resource and operation. */
export class PolicySet {
  readonly bound: readonly BoundPolicy[];
  readonly #kept = new WeakMap<readonly ResourceMapping[], Map<string, readonly BoundPolicy[]>>();

  constructor(policies: Iterable<CompiledPolicy>, bindings: Iterable<CompiledBinding>) {
    const byPolicy = new Map<string, CompiledBinding[]>();
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
  candidates(subject: AdmissionSubject): readonly BoundPolicy[] {
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
export const NO_POLICIES = new PolicySet([], []);
