// The authorizers that need no data, and how several are asked in order.
import type { UserInfo } from '../../wire/exchange.ts';
import type { Attributes, Authorizer, Decision, Rules } from './authorizer.ts';
import { PRIVILEGED_GROUP } from './users.ts';

const DENIED: Decision = { decision: 'no-opinion', reason: 'Everything is forbidden.' };
const ALLOWED: Decision = { decision: 'allow', reason: '' };
const NO_RULES: Rules = { resourceRules: [], nonResourceRules: [], incomplete: false };

/** Nobody may do anything, except the members of system:masters. */
export const ALWAYS_DENY: Authorizer = { authorize: () => DENIED, rulesFor: () => NO_RULES };

/**
 * Asks the authorizers in order: the first that allows or denies decides. Members of system:masters may do
 * everything before any of them is asked, as in kube-apiserver.
 */
export class OrderedAuthorizers implements Authorizer {
  #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  /** From now on others are asked. A decision that is being made is finished by those that began it. */
  replace(authorizers: readonly Authorizer[]): void {
    this.#authorizers = authorizers;
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    return attributes.user.groups.includes(PRIVILEGED_GROUP)
      ? ALLOWED
      : ask(this.#authorizers, attributes, 0, [], []);
  }

  rulesFor(user: UserInfo, namespace: string): Rules | Promise<Rules> {
    const all = this.#authorizers.map((authorizer) => authorizer.rulesFor(user, namespace));
    return all.some((rules) => rules instanceof Promise)
      ? Promise.all(all).then(unionOf)
      : unionOf(all as Rules[]);
  }
}

function ask(
  authorizers: readonly Authorizer[],
  attributes: Attributes,
  from: number,
  reasons: readonly string[],
  errors: readonly string[],
): Decision | Promise<Decision> {
  const authorizer = authorizers[from];
  if (authorizer === undefined)
    return { decision: 'no-opinion', reason: reasons.join('\n'), ...(errors.length > 0 && joined(errors)) };
  const proceed = (decided: Decision): Decision | Promise<Decision> => {
    const { decision, reason, error } = decided;
    if (decision !== 'no-opinion') return decided;
    return ask(
      authorizers,
      attributes,
      from + 1,
      reason === '' ? reasons : [...reasons, reason],
      error === undefined ? errors : [...errors, error],
    );
  };
  const decided = authorizer.authorize(attributes);
  return decided instanceof Promise ? decided.then(proceed) : proceed(decided);
}

const joined = (errors: readonly string[]): { readonly error: string } => ({
  error: errors.length > 1 ? `[${errors.join(', ')}]` : errors[0]!,
});

function unionOf(all: readonly Rules[]): Rules {
  const errors = [...new Set(all.flatMap(({ evaluationError }) => evaluationError ?? []))];
  const evaluationError = errors.length > 1 ? `[${errors.join(', ')}]` : errors[0];
  return {
    resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: all.some(({ incomplete }) => incomplete),
    ...(evaluationError !== undefined && { evaluationError }),
  };
}
