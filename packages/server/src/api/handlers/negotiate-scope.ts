// The form of an answer about a resource.
import { type Negotiated, type NegotiationRules, negotiate } from '../../wire/negotiate.ts';
import type { Scope } from './scope.ts';

export function negotiateScope({ request, resource }: Scope, rules: NegotiationRules): Negotiated {
  return negotiate(request, rules, resource.definition.typed);
}
