// Negotiates the representation of a resource's answer.
import { type Negotiated, type NegotiationRules, negotiate } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

export function negotiateScope({ request, resource }: RequestScope, rules: NegotiationRules): Negotiated {
  return negotiate(request, rules, resource.definition.typed);
}
